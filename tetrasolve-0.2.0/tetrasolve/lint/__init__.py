"""Where readings of the rules differ; and small changes of rules: how they are written, made and generated. No game is named."""
