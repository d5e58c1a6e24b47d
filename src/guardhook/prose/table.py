"""The banned words: stem, forms, what to write instead. Data, kept in step with the published word list by hand.

A stem is what all forms of a row begin with; the matcher looks for it first. Only the forms that stand here are banned.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    Row = tuple[str, tuple[str, ...], str]

TABLE: "tuple[Row, ...]" = (
    ("acquir", ("acquire", "acquires", "acquired", "acquiring"), "get, obtain, buy"),
    ("adept", ("adept", "adepts"), "skilled, able"),
    ("articulat", ("articulate", "articulates", "articulated", "articulating"), "say, state, explain"),
    ("bolster", ("bolster", "bolsters", "bolstered", "bolstering"), "strengthen, back up"),
    ("burgeon", ("burgeon", "burgeons", "burgeoned", "burgeoning"), "growing"),
    ("cultivat", ("cultivate", "cultivates", "cultivated", "cultivating"), "grow, build"),
    ("delv", ("delve", "delves", "delved", "delving"), "look into, study"),
    ("embark", ("embark", "embarks", "embarked", "embarking"), "start, set out"),
    ("embrac", ("embrace", "embraces", "embraced", "embracing"), "adopt, accept"),
    ("encompass", ("encompass", "encompasses", "encompassed", "encompassing"), "include, cover"),
    ("endeavor", ("endeavor", "endeavors", "endeavored", "endeavoring"), "try, effort"),
    ("facet", ("facet", "facets"), "side, part"),
    ("foster", ("foster", "fosters", "fostered", "fostering"), "help, encourage"),
    ("game-changing", ("game-changing",), "major"),
    ("garner", ("garner", "garners", "garnered", "garnering"), "get, collect"),
    ("gaug", ("gauge", "gauges", "gauged", "gauging"), "measure, judge"),
    ("groundbreaking", ("groundbreaking",), "new, first"),
    ("harmoniz", ("harmonize", "harmonizes", "harmonized", "harmonizing"), "align, match"),
    ("hon", ("hone", "hones", "honed", "honing"), "sharpen, improve"),
    ("imperative", ("imperative", "imperatives"), "required, needed"),
    ("intricate", ("intricate",), "detailed, complex"),
    ("keen", ("keen",), "eager, strong"),
    ("monumental", ("monumental", "monumentally"), "very large"),
    ("multifaceted", ("multifaceted",), "complex, many-sided"),
    ("necessitat", ("necessitate", "necessitates", "necessitated", "necessitating"), "needs, requires"),
    ("nuance", ("nuance", "nuances", "nuanced"), "detail, fine point"),
    ("obliterat", ("obliterate", "obliterates", "obliterated", "obliterating"), "delete, wipe out"),
    ("paramount", ("paramount",), "most important"),
    ("pav", ("pave", "paves", "paved", "paving"), "lead to, allow"),
    ("pivotal", ("pivotal",), "key, central"),
    ("ponder", ("ponder", "ponders", "pondered", "pondering"), "think about, consider"),
    ("profound", ("profound", "profoundly"), "deep, large"),
    ("provenance", ("provenance", "provenances"), "origin, source"),
    ("realm", ("realm", "realms"), "area, field"),
    ("reimagin", ("reimagine", "reimagines", "reimagined", "reimagining"), "rethink, redesign"),
    ("scrutiniz", ("scrutinize", "scrutinizes", "scrutinized", "scrutinizing"), "examine, check"),
    ("trailblazing", ("trailblazing",), "first, new"),
    ("turnkey", ("turnkey", "turnkeys"), "ready to use"),
    ("undermin", ("undermine", "undermines", "undermined", "undermining"), "weaken"),
    ("underpin", ("underpin", "underpins", "underpinned", "underpinning"), "support, be the basis of"),
    ("underscor", ("underscore", "underscores", "underscored", "underscoring"), "stress, show"),
    ("unprecedented", ("unprecedented",), "first, never seen before"),
    ("uph", ("uphold", "upholds", "upheld", "upholding"), "keep, support"),
    ("vast", ("vast",), "large, wide"),
    ("versatile", ("versatile",), "flexible"),
)
