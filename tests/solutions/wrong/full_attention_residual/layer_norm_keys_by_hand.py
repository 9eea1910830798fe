# verdict: wrong_answer
# traps: layer_norm_keys
"""Written out step by step, with a subtraction of the mean that RMSNorm does not have."""
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # Step 1: put the embedding in front of the layer outputs.
    all_sources = torch.cat((embedding.unsqueeze(0), previous_outputs), dim=0)

    # Step 2: normalise each source vector on its own, so that big ones do not win by size.
    mean_of_features = all_sources.mean(dim=-1, keepdim=True)  # <- mistake
    centred_sources = all_sources - mean_of_features  # <- mistake
    mean_square = centred_sources.pow(2).mean(dim=-1, keepdim=True)
    normalised_sources = centred_sources / torch.sqrt(mean_square + eps)

    # Step 3: one score for each source, batch item and token.
    scores = torch.matmul(normalised_sources, pseudo_query)

    # Step 4: the sources compete with each other.
    attention_weights = torch.softmax(scores, dim=0)

    # Step 5: mix the raw sources.
    retrieved_representation = (attention_weights.unsqueeze(-1) * all_sources).sum(dim=0)

    return {
        "retrieved_representation": retrieved_representation,
        "attention_weights": attention_weights,
    }
