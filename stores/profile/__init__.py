"""The evolving part of an identity in the record: lines, versions, and proposals to change them."""
