"""What each message of a command or of the library means and what to do: see message_notes.py."""

from __future__ import annotations

from docs.message_notes import Note

COMMAND_NOTES: dict[str, tuple[Note, ...]] = {  # by the headings of the page
    "Command lines": (
        Note(
            r"unknown (option|subcommand)|which subcommand|one argument too many",
            "a word of the command line is not known; the nearest one is offered",
            "`webclean SUBCOMMAND --help`, or [commands.md](commands.md)",
        ),
        Note(
            r"needs (exactly one|at least one|a feed|JSON lines files)|takes at most one URL",
            "an argument is missing or one too many",
            "the examples below `webclean SUBCOMMAND --help`",
            "commands/",
        ),
        Note(
            r"is (not a URL|no http address|the http address)",
            "an address needs its scheme, as in `https://www.example.com/`",
            "write it in full; a file or a folder is written as a path",
            "commands/",
        ),
        Note(
            r"must be at least",
            "a number of an option is out of range",
            "correct it",
            "commands/",
        ),
        Note(
            r"need -o FOLDER/|needs -o FILE|add -o FILE|use -o FILE",
            "the result cannot go where the command says",
            "name a file or a folder with `-o`",
            "commands/",
        ),
        Note(
            r"^--(compare|html) ?",
            "`webclean explain` is asked for a page of HTML in a way that cannot be",
            "`--html FILE`; `--compare` needs it, and an index: [commands.md](commands.md)",
        ),
        Note(
            r"^cannot listen on port",
            "another program uses the port of `python -m webclean_scrapy.demo`",
            "take another one, or 0 for any",
        ),
    ),
    "Feeds, webclean dedup": (
        Note(
            r"no such file|is a folder|cannot be written|already exists|^\.\.\.: \.\.\.$"
            r"|is not installed; |is not known; s3|^cannot open",
            "a feed or the result cannot be opened",
            "the message names the file and what to do",
            "commands/feed",
        ),
        Note(
            r"is not a feed|has no header|no CSV|name of a column|is not UTF-8|is damaged"
            r"|damaged Parquet|^\.\.\. \.\.\.$",
            "the content is none of the formats that can be read",
            "[deduplication.md](deduplication.md#feeds-that-exist-already) lists the formats; "
            "repair or convert the file",
            "commands/feeds",
        ),
        Note(
            r"nothing can be compared|no line can be read|no lines",
            "no line has a text under the name that was asked for",
            "name the fields with `--text`, `--title` and `--key`",
            "commands/",
        ),
        Note(
            r"cannot resume|belongs to a run with other inputs|was not written|^cannot read",
            "a stopped run cannot go on as it was, or its end failed",
            "repeat the first command, or delete the files that are named and start again",
            "commands/feed",
        ),
        Note(
            r"Parquet|PyArrow",
            "PyArrow is missing, or the files have columns that do not fit together",
            "install the extra `parquet`, or write JSON lines",
            "commands/feeds",
        ),
    ),
    "Saved pages, webclean clean": (
        Note(
            r"cut off: |WARC file|record at",
            "the archive is damaged or incomplete; pages before the fault are cleaned",
            "fetch the archive again",
        ),
    ),
    "The report of a crawl": (
        Note(
            r"^The report has no templates|could not be written",
            "the report, or a part of it, could not be made; the feed is not touched by this",
            "the rest of the line says why; `webclean report` makes it anew of a `.json`",
        ),
        Note(
            r"^\.\.\.REPORT: |must end in|is a folder"
            r"|the folder \.\.\. (is missing|cannot be written to)",
            "`WEBCLEAN_REPORT` or `-o` names a file that cannot be written, or of another kind",
            "a path that ends in `.html` or `.json`, in a folder that is there",
        ),
        Note(
            r"data of a crawl report|^\.\.\. has version",
            "the file is not what a crawl wrote for `webclean report`, or of another version",
            'set `WEBCLEAN_REPORT = "report.json"` in the crawl: [report.md](report.md)',
        ),
    ),
    "datatrove and Ray": (
        Note(
            r".",
            "a step of a pipeline is used in another way than it is made for",
            "[engines.md](engines.md)",
            "engines/",
        ),
    ),
    "Models and profiles": (
        Note(
            r"^cannot read a model|is not a \.\.\. file|^'|must be an object|must hold|"
            r"it has version",
            "a file of `webclean train` is missing, damaged or of another version",
            "train it again; the crawl does not start with it",
            "classify/",
        ),
        Note(
            r"two classes or more|has one page|too few pages|hold out|no term occurs|"
            r"nothing was trained",
            "the labelled pages do not suffice, or some lines are invalid (each is named)",
            "[classification.md](classification.md#label-pages)",
        ),
        Note(
            r"interest profile|exists and is not a profile|^its |^it has|^larger than",
            "a file is not an interest profile, or is damaged",
            "make it again with `webclean profile`; it never writes over another kind of file",
        ),
    ),
    "In Python": (
        Note(
            r"must be|unknown option|no field of a page|are mutually|needs a clock",
            "an argument of `Cleaner`, `CleanConfig`, `DuplicateIndex`, `to_dict` or a method of a "
            "paper is out of range; the message says what is allowed",
            "correct it; the docstring has the unit",
        ),
    ),
}
