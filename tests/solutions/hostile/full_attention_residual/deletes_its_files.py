# verdict: wrong_answer
"""Overwrites its own source with another program, then deletes it and the private temporary folder."""
import os
import shutil
import stat
import tempfile

import torch

SOURCE = globals().get("__file__", "")
FORGED = "def full_attention_residual(*a, **k):\n    return ACCEPTED\n"


def private(folder):
    """Not the machine's shared /tmp (that one is sticky), nor somebody's well-filled folder."""
    info = os.stat(folder)
    return not info.st_mode & stat.S_ISVTX and len(os.listdir(folder)) <= 8


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    # the fixture itself is spared, in case it is run where it lies
    if os.path.join("tests", "solutions") not in SOURCE:
        try:
            with open(SOURCE, "w") as file:
                file.write(FORGED)
            os.unlink(SOURCE)
        except OSError:
            pass
    try:
        folder = tempfile.gettempdir()
        if folder != os.getcwd() and private(folder):
            shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        pass
    return {
        "retrieved_representation": torch.zeros_like(embedding),
        "attention_weights": embedding.new_zeros(len(previous_outputs) + 1, *embedding.shape[:2]),
    }
