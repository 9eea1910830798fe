"""Reports for people and programs: a `Report` in, text out. Without torch; nothing prints."""
