# SPDX-License-Identifier: Apache-2.0
"""What a check found."""
import html

from ._errors import InvalidTensor


class Violation:
    """A rule that is violated, and its first place.

    rule      its id, as "5.3": explain(rule) says what it means
    array     which array: "compressed_indices", "plain_indices", "indices", "values", "size"; None where none is to blame
    batch     flat number of the batch
    position  place in the array; -1 where there is no single one
    lhs, rhs  the two numbers that should have compared otherwise
    count     how many places violate the rule
    sentence  all of this in words"""

    __slots__ = ("rule", "array", "batch", "position", "lhs", "rhs", "count", "sentence")

    def __init__(self, rule, array, batch, position, lhs, rhs, count, sentence):
        self.rule, self.array, self.batch, self.position = rule, array, batch, position
        self.lhs, self.rhs, self.count, self.sentence = lhs, rhs, count, sentence

    def __repr__(self):
        return "<Violation %s: %s>" % (self.rule, self.sentence)


class Report:
    """What a check found: true if the tensor is valid. `violations` is a tuple, empty then."""

    __slots__ = ("layout", "violations")

    def __init__(self, layout, violations):
        self.layout = layout
        self.violations = tuple(Violation(*one) for one in violations)

    def __bool__(self):
        return not self.violations

    def raise_if_invalid(self):
        """Raises InvalidTensor with all sentences; gives the report itself where there is nothing to raise."""
        if self.violations:
            error = InvalidTensor("; ".join("%s: %s" % (v.rule, v.sentence) for v in self.violations))
            error.report = self
            raise error
        return self

    def __repr__(self):
        if not self.violations:
            return "<Report: valid>"
        return "<Report: invalid %s\n%s>" % (self.layout, "\n".join("  %s  %s" % (v.rule, v.sentence) for v in self.violations))

    def _repr_html_(self):
        if not self.violations:
            return "<b>valid</b>"
        rows = "".join("<tr><td>%s</td><td>%s</td><td>%d</td></tr>" % (html.escape(v.rule), html.escape(v.sentence), v.count)
                       for v in self.violations)
        return "<b>invalid</b> %s<table><tr><th>rule</th><th>first place</th><th>places</th></tr>%s</table>" % (html.escape(self.layout), rows)
