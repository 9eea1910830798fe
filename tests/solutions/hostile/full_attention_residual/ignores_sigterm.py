# verdict: time_limit
"""Blocks and ignores every signal that can be, swallows alarms, and then loops."""
import signal


def shrug(number, frame):
    print("not now:", number)


for number in signal.valid_signals():
    try:
        signal.signal(number, shrug if number == signal.SIGALRM else signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    i = 0
    while True:
        i += 1
