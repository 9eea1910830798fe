# verdict: output_limit | time_limit
"""Raw bytes to descriptor 1 at import, without a single line end, neither UTF-8 nor anything else."""
import os

junk = bytes(range(128, 256)) * 512
while True:
    os.write(1, junk)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    return {}
