# verdict: wrong_answer | runtime_error
"""One DNS question by UDP to each configured name server, a datagram to localhost, and a raw socket; swallows all errors."""
import re
import socket

import torch

# A? tensor-grader-canary.invalid
QUESTION = b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x14tensor-grader-canary\x07invalid\x00\x00\x01\x00\x01"


def name_servers():
    try:
        with open("/etc/resolv.conf") as file:
            return re.findall(r"^nameserver\s+([\d.]+)", file.read(), re.M)
    except OSError:
        return []


def ask():
    for host, port in [(server, 53) for server in name_servers()] + [("127.0.0.1", 8787), ("192.0.2.1", 53)]:
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
                s.settimeout(0.2)
                s.sendto(QUESTION, (host, port))
                print("answer:", s.recv(512)[:12])
        except Exception:
            pass
    for family, kind, protocol in ((socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP),
                                   (socket.AF_PACKET, socket.SOCK_RAW, 0)):
        try:
            socket.socket(family, kind, protocol).close()
        except Exception:
            pass


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    ask()
    weights = embedding.new_zeros(len(previous_outputs) + 1, *embedding.shape[:2])
    return {"retrieved_representation": torch.zeros_like(embedding), "attention_weights": weights}
