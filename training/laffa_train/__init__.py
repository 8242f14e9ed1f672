"""Training, evaluation and the command line of laffa. Torch lives here and only here."""
