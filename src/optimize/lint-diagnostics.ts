import { defineDiagnostics, insertAt, replaceWith, type Fix, type Severity, type Span } from '../base/index.ts'

/** A fix whose span may differ from the span of its diagnostic. */
interface Replacement {
  readonly span: Span
  readonly text: string
  readonly title: string
}

function fixOf(replacement: Replacement | undefined): readonly Fix[] {
  return replacement === undefined ? [] : [replaceWith(replacement.span, replacement.text, replacement.title)]
}

export const lintDiagnostic = defineDiagnostics('lint', {
  'leading-wildcard': (d: { field: string; pattern: string; instead: string | undefined; title: string }) => ({
    severity: 'warning',
    message: `\`${d.pattern}\` begins with a star, so every value of \`${d.field}\` in the range is read.`,
    why:
      d.instead === undefined
        ? 'No index finds the middle of a value. A bare word searches the index of the text field.'
        : `No index finds the middle of a value, but words and beginnings are indexed: \`${d.instead}\`.`,
    fixes: (span: Span) => (d.instead === undefined ? [] : [replaceWith(span, d.instead, d.title)]),
  }),
  'no-limit': (_: object) => ({
    severity: 'warning',
    message: 'The query has no `limit`, so it returns every matching row.',
    why: 'End a query for rows with `limit`; for numbers use `stats`.',
    fixes: (span: Span) => [insertAt(span.end, ' | limit 100', 'Add `limit 100`')],
  }),
  'limit-before-offset': (d: { limit: number; offset: number; swap: { edits: Fix['edits'] } | undefined }) => ({
    severity: 'warning',
    message: `\`offset ${d.offset}\` skips rows of the ${d.limit} that the \`limit\` before it leaves.`,
    why: 'Pipes run in the order written. For a page, skip first: `offset` and then `limit`.',
    fixes: () => (d.swap === undefined ? [] : [{ title: 'Skip first', edits: d.swap.edits, isSafe: false }]),
  }),
  'unstable-page': (_: object) => ({
    severity: 'warning',
    message: 'The page has an `offset` but no `sort`.',
    why: 'The newest rows come first, so rows that arrive between two pages shift them. Sort, and keep the same time range for every page.',
    fixes: (span: Span) => [insertAt(span.start, 'sort by (_time desc) | ', 'Sort first')],
  }),
  'level-order': (d: { instead: string }) => ({
    severity: 'warning',
    message: 'Levels are compared as texts, in the order of the alphabet.',
    why: 'Name the levels that are meant.',
    fixes: (span: Span) => [replaceWith(span, d.instead, 'Name the levels')],
  }),
  'rate-per-second': (d: { fn: string }) => ({
    severity: 'warning',
    message: `\`${d.fn}\` divides by one second, since the range has no beginning or no end.`,
    why: 'A rate is per second of the range. Give both ends, as in `_time:1h`, or group by time, as in `by (_time:5m)`.',
  }),
  contradiction: (d: { hasPair: boolean }) => ({
    severity: 'warning',
    message: d.hasPair ? 'This can never hold together with the filters before it.' : 'This filter can never hold.',
    why: 'Filters joined by AND must all hold for a row. Alternatives are joined by `OR`.',
  }),
  'useless-pipe': (d: { pipe: string; why: string; removal: Replacement | undefined }) => ({
    severity: 'warning',
    message: `This \`${d.pipe}\` changes nothing.`,
    why: d.why,
    fixes: () => fixOf(d.removal),
  }),
  'wide-time-range': (d: { table: string; days: number | undefined; severity: Severity }) => ({
    severity: d.severity,
    message:
      d.days === undefined
        ? `The query has no time range: all of \`${d.table}\` is read.`
        : `The query reads ${d.days} days of \`${d.table}\`.`,
    why: 'Time ranges are what keeps a query fast. Name the range, for instance `_time:1h`.',
  }),
  'unselective-start': (_: object) => ({
    severity: 'info',
    message: 'No part of the filter can be looked up, so every row of the range is read.',
    why: 'Begin with a word, or with a value of a field: exclusions and patterns can only thin out rows that are read.',
  }),
})
