# verdict: memory_limit | not_loadable
"""Fills a list while it is imported, up to 8 GB."""
pages = []
while len(pages) < 2_000:
    pages.append(b"\x55" * (4 << 20))


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    return {}
