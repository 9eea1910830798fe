"""Runs code it does not trust, in one confined fork a solution. Knows no expected value.

Import from the modules: `client` (a server and its sessions), `probe` (what this machine holds),
`messages` (what is asked and answered). This package imports nothing itself, for not all who
need a constant of it can afford torch.
"""
