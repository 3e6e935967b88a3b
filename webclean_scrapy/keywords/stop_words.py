"""Function words: they build a sentence and are not its topic.

Short on purpose: the most frequent function words of the most frequent languages of the web. For
other languages the length of a word decides (`idf`). Without accents, as in the compared texts.
"""

ENGLISH = """
a about above after again against all also although am among an and any are as at be became because
been before being below between both but by can cannot could did do does doing down during each
either else ever every few for from further get got had has have having he her here hers herself him
himself his how however i if in into is it its itself just like made make many may me might more
most much must my myself no nor not now of off on once one only or other others our ours out over
own per said same say says she should since so some such than that the their theirs them themselves
then there therefore these they this those though through thus to too two under until up upon us
very was we well were what when where whether which while who whom whose why will with within
without would yet you your yours yourself dont doesnt didnt isnt arent wasnt werent cant couldnt
wont wouldnt shouldnt havent hasnt hadnt im ive youre theyre thats theres weve
"""
GERMAN = """
aber als am an auch auf aus bei bis das dass dem den der des die doch durch ein eine einem einen
einer eines er es fur hat haben hatte ich ihr im in ist ja kann mehr mit nach nicht noch nur oder
schon sein sich sie sind so uber um und uns unter vom von vor war waren was wenn werden wie wir wird
wurde zu zum zur
"""
FRENCH = """
au aux avec ce ces cette comme dans de des du elle elles en est et etait ete etre eux il ils je la
le les leur leurs lui mais meme ne nous on ont ou par pas plus pour qui que quand sa sans se ses son
sont sur tout tous tres un une vous
"""
SPANISH = """
al algo como con contra cuando de del desde donde el ella ellos en entre era es esa ese esta este
esto fue ha han hasta hay la las le les lo los mas me mi muy no nos para pero por porque que se ser
si sin sobre son su sus tambien todo todos un una y ya
"""
PORTUGUESE_ITALIAN = """
ao aos com da das do dos ela ele em entao isso mais mas na nas nao nos ou pela pelo por que sao sem
ser seu sua tem uma alla anche che ci come con cui da dal dalla degli dei del della delle di era gli
il io loro ma nel nella non piu quella questo sono su sul tra una uno
"""
RUSSIAN = """
без бы был была были было быть вас во вот все вы да для до его ее если есть еще же за из или им их
как когда кто ли меня мне может мы на над не него нее нет ни но ну об он она они от по под при
сеичас со так такои там то только ты тут уже что чтобы это этого этои этот
"""
CHINESE = """
我们 你们 他们 她们 它们 自己 这个 那个 这些 那些 这样 那样 这里 那里
这种 什么 怎么 如何 为什么 哪里 一个 一种 一些 一样 一直 一定 没有 不是
不会 不能 不要 就是 还是 还有 只是 只有 可以 可能 已经 正在 以及 因为
所以 但是 而且 如果 虽然 然而 或者 并且 由于 因此 于是 其中 其他 之间
之后 之前 以后 以前 时候 现在 通过 进行 对于 关于 根据 随着 同时 此外
另外 非常 比较 十分 更加 都是 也是 不过 甚至 其实 当然 以来 以上 以下
成为 作为 认为 表示
"""
STOP_WORDS = frozenset(
    (ENGLISH + GERMAN + FRENCH + SPANISH + PORTUGUESE_ITALIAN + RUSSIAN + CHINESE).split()
)
