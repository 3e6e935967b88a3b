"""Pages in files and WARC archives, cleaned here or by engines that run on many machines.

`engines.datatrove_steps` needs the extra ``datatrove``.
"""
