# verdict: wrong_answer
# traps: softmax_over_everything, returned_tuple
import torch
import torch.nn.functional as F


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    seq = torch.cat([embedding.unsqueeze(0), previous_outputs], dim=0)
    n_src, bsz, n_tok, width = seq.shape
    flat = seq.reshape(-1, width)
    scores = F.rms_norm(flat, (width,), eps=eps).mv(pseudo_query)
    attn = F.softmax(scores, dim=0).reshape(n_src, bsz, n_tok)  # <- mistake
    hidden = (attn.unsqueeze(-1) * seq).sum(dim=0)
    return hidden, attn  # <- mistake
