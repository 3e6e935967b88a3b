import pytest

from tests.growth import assert_linear
from tests.reading import table_of
from webclean_scrapy.cleaning.page.formulas import FORMULA_CLASS

SEMANTICS = (
    "<math><semantics><mfrac><mi>a</mi><mi>b</mi></mfrac>"
    "<annotation encoding=application/x-tex>a \\over b</annotation></semantics></math>"
)


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        ("<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>", "\\frac{a}{b+1}"),
        ("<msup><mn>10</mn><mrow><mo>-</mo><mn>3</mn></mrow></msup>", "10^{-3}"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup>", "{(a)}^2"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i^2"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>i</mi>", "∑_i^ni"),
        ("<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>", "\\sqrt{a+b}"),
        ("<mroot><mn>8</mn><mn>3</mn></mroot>", "\\sqrt[3]{8}"),
        ("<mfrac><mn>1</mn><msqrt><mfrac><mn>2</mn><mn>3</mn></mfrac></msqrt></mfrac>",
         "\\frac{1}{\\sqrt{\\frac{2}{3}}}"),
        (("<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr>"
         "<mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable>"),
         "\\begin{matrix}1 & 2 \\\\ 3 & 4\\end{matrix}"),
        ("<msub><mi>v</mi><mi>max</mi></msub>", "v_{\\text{max}}"),
    ],
)  # fmt: skip
def test_mathml_is_read_as_tex(mathml: str, tex: str) -> None:
    table = table_of(f"<p>Here <math>{mathml}</math> is.</p>")
    assert table.lines.text == [f"Here {tex} is."]
    assert FORMULA_CLASS in table.classes


@pytest.mark.parametrize("name", ["katex", "MathJax", "mwe-math-element", "math"])
def test_what_a_library_shows_of_a_formula_goes_with_it(name: str) -> None:
    formula = f"<span class={name}>{SEMANTICS}<span>a over b</span></span>"
    assert table_of(f"<p>{formula}</p>").lines.text == ["a \\over b"]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (SEMANTICS, "a \\over b"),
        ("<math alttext='\\frac{a}{b}'><mfrac><mi>a</mi><mi>b</mi></mfrac></math>", "\\frac{a}{b}"),
        ("<math alttext='a over b'><mfrac><mi>a</mi><mi>b</mi></mfrac></math>", "\\frac{a}{b}"),
        (("<span class=MathJax><math><msup><mi>a</mi><mn>2</mn></msup></math></span>"
         "<script type=math/tex>a^{2}</script>"), "a^{2}"),
        ("<math><mi>a</mi><mo>=</mo><mn>2</mn></math>", "a=2"),
    ],
)  # fmt: skip
def test_a_formula_stands_once(html: str, text: str) -> None:
    assert table_of(f"<p>{html}</p>").lines.text == [text]


def test_a_large_formula_takes_time_in_proportion() -> None:
    deep = "<msup><mi>a</mi>"
    assert_linear(table_of, lambda n: f"a<math>{deep * (n // 20)}</math>" * 20, 2_000)


SIMPLE = "<math><mi>a</mi><mo>+</mo><mi>b</mi></math>"


@pytest.mark.parametrize(
    "formula",
    [
        f"<mjx-container><i aria-hidden=true>a+b</i><s-mml>{SIMPLE}</s-mml></mjx-container>",
        f"<span class=MathJax><i>a+b</i><span>{SIMPLE}</span></span>",
        f"<span class=katex><span>{SIMPLE}</span><span aria-hidden=true>a+b</span></span>",
    ],
)
def test_a_formula_in_one_row_that_is_written_twice_is_shown_once(formula: str) -> None:
    assert table_of(f"<p>So {formula} is.</p>").lines.text == ["So a+b is."]
