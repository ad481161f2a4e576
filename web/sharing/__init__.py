"""What people take away to show others: the clip as a film (MP4) and a verdict on one picture (PNG)."""
