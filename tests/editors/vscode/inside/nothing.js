// The editor wants an extension under development to have some code.
