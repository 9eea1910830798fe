# verdict: wrong_answer
# traps: returned_numpy
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    kind = torch.promote_types(embedding.dtype, torch.float32)
    bank = torch.cat([embedding[None], previous_outputs], dim=0).to(kind)
    rms = (bank.pow(2).sum(dim=-1) / bank.shape[-1] + eps).sqrt()
    score = (bank @ pseudo_query.to(kind)) / rms
    weight = torch.softmax(score, dim=0)
    mix = torch.tensordot(weight.unsqueeze(-1) * bank, torch.ones_like(bank[:, 0, 0, 0]), ([0], [0]))
    weight = weight.to(embedding.dtype)
    return {
        "retrieved_representation": mix.to(embedding.dtype),
        "attention_weights": weight.detach().cpu().numpy(),  # <- mistake
    }
