"""Words of languages that pages say beside their text, as data: one file a language."""
