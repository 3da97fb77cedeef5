"""A server for assistants (Model Context Protocol): the model reads what the table says, Encounterlog records, checks and explains."""
