"""The rules language: text of a rules file to checked, typed tree."""
