"""From a solution's answers to a report: expected values, checks, diagnosis, score."""
