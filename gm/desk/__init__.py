"""What a mail asks for: the command language, and one handler a command."""
