"""What is drawn over pictures of a board, and the films made of them, for the command line and the page."""
