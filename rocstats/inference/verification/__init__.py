"""Questions of studies in which only some cases were verified."""
