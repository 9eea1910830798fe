"""Thin, typed wrappers over the Linux calls the sandbox needs; each raises OSError or says no."""
