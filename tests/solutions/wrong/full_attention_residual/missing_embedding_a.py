# verdict: wrong_answer
# traps: missing_embedding
import torch


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    original_type = embedding.dtype
    # small types are not precise enough, so I go to float32 first
    if original_type == torch.float16 or original_type == torch.bfloat16:
        embedding = embedding.float()
        previous_outputs = previous_outputs.float()
        pseudo_query = pseudo_query.float()

    # step 1: collect all the sources in a list
    sources = []  # <- mistake
    for i in range(previous_outputs.shape[0]):
        sources.append(previous_outputs[i])

    # step 2: a score for every source
    scores = []
    for source in sources:
        mean_square = (source * source).mean(dim=2, keepdim=True)
        key = source / torch.sqrt(mean_square + eps)
        score = (key * pseudo_query).sum(dim=2)
        scores.append(score)

    # step 3: softmax
    weights = torch.softmax(torch.stack(scores), dim=0)

    # step 4: weighted sum
    answer = torch.zeros_like(embedding)
    for i in range(len(sources)):
        answer = answer + weights[i].unsqueeze(2) * sources[i]

    result = {}
    result["retrieved_representation"] = answer.to(original_type)
    result["attention_weights"] = weights.to(original_type)
    return result
