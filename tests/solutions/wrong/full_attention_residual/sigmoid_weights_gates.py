# verdict: wrong_answer
# traps: sigmoid_weights
"""Independent gates for the sources instead of a competition."""
import torch


def gate(source, query, eps):
    rms = torch.sqrt(source.square().mean(-1) + eps)
    return torch.sigmoid(source.matmul(query) / rms)  # <- mistake


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    gates = [gate(embedding, pseudo_query, eps)]
    read = gates[0].unsqueeze(-1) * embedding
    for output in previous_outputs:
        gates.append(gate(output, pseudo_query, eps))
        read = read + gates[-1].unsqueeze(-1) * output
    return {"retrieved_representation": read, "attention_weights": torch.stack(gates)}
