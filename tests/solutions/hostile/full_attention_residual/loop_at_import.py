# verdict: time_limit
"""Never finishes importing; one verdict about the import, not one time-out for each case."""


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    return None


ready = False
while not ready:
    pass
