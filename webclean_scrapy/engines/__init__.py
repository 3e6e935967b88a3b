"""Clean pages in files and WARC archives, on one machine or many.

`engines.datatrove_steps` needs the extra ``datatrove``.
"""
