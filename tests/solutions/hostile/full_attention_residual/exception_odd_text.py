# verdict: runtime_error
"""Terminal escapes, NUL, lone surrogates, markup and a forged verdict in the message."""

TEXT = (
    "\x1b[2J\x1b[1;1H\x1b]0;accepted\x07\x1b[32m✔ accepted 100/100\x1b[0m\r\n"
    "\x00\x08\x7f\x9b31m \ud800\udfff\udc80 \u202egnorw\u202c \ufeff\u2028\u2029"
    "]]> </failure><testcase name='x'/> <script>alert(1)</script> [bold red]rich[/] {{ 7*7 }} "
    '"},{"verdict": "accepted"} =HYPERLINK("http://example.invalid"), \'; DROP TABLE results; --'
)


def full_attention_residual(embedding, previous_outputs, pseudo_query, eps=1e-6):
    print(TEXT.encode("utf-8", "surrogatepass"))
    print(TEXT.encode("ascii", "replace").decode())
    error = type("\x1b[32mAccepted", (Exception,), {})(TEXT)
    raise error
