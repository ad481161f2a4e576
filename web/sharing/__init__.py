"""Downloads to show to others: a clip as a film (MP4), and a verdict as one picture (PNG)."""
