"""The numbers of the R package RJafroc, whose data are fetched by who checks them."""
