# verdict: accepted
"""Indented with tabs."""
import torch


def full_attention_residual(
		embedding,
		previous_outputs,
		pseudo_query,
		eps = 1e-6):
	srcs = [ embedding ]
	srcs.extend( previous_outputs )
	scores = [ ]
	for s in srcs :
		ms = s.pow(2).mean( -1, keepdim = True )
		scores.append( torch.matmul( s / torch.sqrt( ms + eps ), pseudo_query ) )
	w = torch.stack( scores, 0 )
	w = torch.softmax( w, 0 )
	res = srcs[0] * w[0, :, :, None]
	for j in range( 1, len( srcs ) ) :
		res = res + srcs[j] * w[j, :, :, None]
	return { "retrieved_representation" : res, "attention_weights" : w }
