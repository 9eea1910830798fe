# verdict: wrong_answer
# traps: misspelled_output
"""`retrieved_representations`, in the plural."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    sources = torch.stack([embedding, *previous_outputs])
    normed = torch.nn.functional.rms_norm(sources, sources.shape[-1:], eps=eps)
    output = {"attention_weights": torch.softmax(normed @ pseudo_query, dim=0)}
    output["retrieved_representations"] = torch.einsum(  # <- mistake
        "sbt,sbtd->btd", output["attention_weights"], sources
    )
    return output
