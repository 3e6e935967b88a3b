# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The walk over a page's tree in C: what `walk` and `row_attributes` give, in a third of the time.

Optional: `tree_walk` takes it where it was built. Elements are read where libxml2 holds them, found
through lxml's C interface; the tree must not change while the rows are used. Elements become Python
objects when a step asks for one.
"""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport strcmp, strlen
from lxml.includes.etreepublic cimport _Document, _Element, elementFactory, import_lxml__etree
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE, XML_ELEMENT_NODE, XML_TEXT_NODE, xmlAttr, xmlNode,
)

from webclean_scrapy.cleaning.page.units import is_seen

import_lxml__etree()

cdef enum:
    UNSEEN = 1  # as in `walk`
    BREAK = 2
    BLOCK = 3
    NEW_PARAGRAPH = 2


cdef class Nodes:
    """The elements of the rows, as a list of them: each is made an object when it is asked for."""

    cdef _Document document
    cdef xmlNode** nodes
    cdef Py_ssize_t size, room

    def __dealloc__(self):
        PyMem_Free(self.nodes)

    cdef int add(self, xmlNode* node) except -1:
        cdef xmlNode** larger
        if self.size == self.room:
            self.room = 2 * self.room + 256
            larger = <xmlNode**> PyMem_Realloc(self.nodes, self.room * sizeof(xmlNode*))
            if larger is NULL:
                raise MemoryError
            self.nodes = larger
        self.nodes[self.size] = node
        self.size += 1
        return 0

    def __len__(self):
        return self.size

    def __getitem__(self, Py_ssize_t row):
        if row < 0:
            row += self.size
        if not 0 <= row < self.size:
            raise IndexError(row)
        return elementFactory(self.document, self.nodes[row])


cdef inline str decoded(const void* text):
    return PyUnicode_DecodeUTF8(<const char*> text, strlen(<const char*> text), NULL)


cdef str text_at(xmlNode* node):
    """Return the text of *node* and the text nodes behind it, None where there is none."""
    cdef str text = None
    while node is not NULL and node.type in (XML_TEXT_NODE, XML_CDATA_SECTION_NODE):
        if node.content is not NULL and node.content[0]:
            part = decoded(node.content)
            text = part if text is None else text + part
        node = node.next
    return text


cdef str value_of(xmlAttr* attribute):
    cdef str text = text_at(<xmlNode*> attribute.children)
    return "" if text is None else text


cdef class _Columns:
    """The rows of one page, as they are filled."""

    cdef list tags, parents, ends, texts, classes, ident, attributes
    cdef dict links
    cdef Nodes nodes
    cdef object read

    def __init__(self, read):
        self.tags, self.parents, self.ends, self.texts = [], [], [], []
        self.classes, self.ident, self.attributes, self.links = [], [], [], {}
        self.nodes, self.read = Nodes(), read

    cdef int add(self, str tag, xmlNode* node, Py_ssize_t parent, Py_ssize_t end) except -1:
        self.tags.append(tag)
        self.nodes.add(node)
        self.parents.append(parent)
        self.ends.append(end)
        self.classes.append("")
        self.ident.append("")
        return 0

    cdef int read_attributes(self, Py_ssize_t row, xmlAttr* attribute, bint is_link) except -1:
        cdef const char* name
        while attribute is not NULL:
            name = <const char*> attribute.name
            if strcmp(name, b"class") == 0:
                self.classes[row] = value_of(attribute).lower()
            elif strcmp(name, b"id") == 0:
                self.ident[row] = value_of(attribute).lower()
            elif is_link and strcmp(name, b"href") == 0:
                self.links[row] = value_of(attribute)
            elif (key := decoded(name)) in self.read:
                self.attributes.append((row, key, value_of(attribute)))
            attribute = attribute.next
        return 0


def walk_rows(_Element root, dict kinds, str text_tag, read):
    """Return the columns of the document under *root*, which is not changed. Cost: O(nodes).

    *kinds* are those of `walk`, *read* the names of the attributes that are wanted.

    Returns:
        tags, nodes, parents, ends, texts (as `walk.WalkedRows`), classes, ids, (row, name, value)
        of the attributes, and where each ``a`` leads to, by row.
    """
    cdef _Columns rows = _Columns(read)
    cdef Nodes nodes = rows.nodes
    cdef dict names = {}  # by where libxml2 keeps the name: it, its kind, whether title, whether a
    cdef list blocks = [0]  # rows of the open blocks
    cdef list outer = []  # rows above the open elements
    cdef xmlNode* start = root._c_node
    cdef xmlNode* here = start
    cdef xmlNode* step
    cdef Py_ssize_t row, parent = -1
    cdef int kind, breaks = NEW_PARAGRAPH
    cdef str white = "", text
    cdef tuple name
    cdef bint down = True
    nodes.document = root._doc
    while True:
        text = None
        name = names.get(<size_t> here.name)
        if name is None:
            tag = elementFactory(nodes.document, here).tag
            name = tag, kinds.get(tag, 0), tag == "title", tag == "a"
            if here.ns is NULL:
                names[<size_t> here.name] = name
        kind = name[1]
        if down:
            outer.append(parent)
            if kind != UNSEEN:
                row = parent = nodes.size
                rows.add(name[0], here, outer[len(outer) - 1], 0)
                if name[3]:
                    rows.links[row] = ""
                rows.read_attributes(row, here.properties, name[3])
                if kind:
                    white = ""
                    breaks = breaks + 1 if kind == BREAK else NEW_PARAGRAPH
                if kind >= BLOCK:
                    blocks.append(row)
                if not name[2]:
                    text = text_at(here.children)
        else:
            if kind != UNSEEN:
                rows.ends[parent] = nodes.size
                if kind >= BLOCK:
                    white, breaks = "", NEW_PARAGRAPH
                    blocks.pop()
            parent = outer.pop()
            if here is start:
                break
            text = text_at(here.next)
        if text is not None:
            if text.isspace():
                white += text
            elif text.isprintable() or is_seen(text):
                row = nodes.size
                rows.texts.append((row, white + text, breaks, blocks[len(blocks) - 1]))
                rows.add(text_tag, here, parent, row + 1)
                white, breaks = "", 0
        step = here.children if down else here.next
        while step is not NULL and step.type != XML_ELEMENT_NODE:
            step = step.next
        if step is not NULL:
            here, down = step, True
        elif down:
            down = False
        else:
            here = here.parent
    return (
        rows.tags, nodes, rows.parents, rows.ends, rows.texts,
        rows.classes, rows.ident, rows.attributes, rows.links,
    )
