# verdict: wrong_answer
"""Leaves a chain of 3,000 folders without permissions, a fifo, a link out of the folder, and names that are not UTF-8."""
import os
import tempfile

import torch


def litter():
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(tempfile.mkdtemp())
        os.mkfifo("pipe")
        os.symlink("/var/tmp/tensor-grader-canary", "link")
        os.symlink("loop", "loop")
        os.mkdir(b"\xff\xfe\n-rf *")
        depth = 3000
        for _ in range(depth):
            os.mkdir("d")
            os.chdir("d")
        for _ in range(depth):
            os.chdir("..")
            os.chmod("d", 0)
    except OSError as error:
        print("stopped:", error.strerror)
    finally:
        os.fchdir(here)
        os.close(here)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    try:
        litter()
    except OSError:
        pass
    return {
        "retrieved_representation": torch.zeros_like(embedding),
        "attention_weights": embedding.new_zeros(len(previous_outputs) + 1, *embedding.shape[:2]),
    }
