# verdict: wrong_answer
# traps: embedding_added_to_layers, last_output_added
import torch


class ResidualReader:
    """Reads back over depth; keeps only the eps."""

    def __init__(self, eps):
        self.eps = eps

    def sources(self, e, fs):
        # every layer output sits on top of the skip path
        lifted = fs + e  # <- mistake
        return torch.cat([e.unsqueeze(0), lifted])

    def weights(self, v, q):
        r = torch.rsqrt(v.pow(2).mean(-1) + self.eps)
        return torch.softmax(torch.matmul(v, q) * r, 0)

    def __call__(self, e, fs, q):
        v = self.sources(e, fs)
        a = self.weights(v, q)
        h = torch.einsum("s...,s...d->...d", a, v)
        if len(fs):
            h = h + fs[-1]  # <- mistake
        return h, a


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    h, a = ResidualReader(eps)(embedding, previous_outputs, pseudo_query)
    return {"retrieved_representation": h, "attention_weights": a}
