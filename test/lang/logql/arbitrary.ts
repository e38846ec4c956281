import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'

/** Draws LogQL queries that must be accepted, in many layouts. */

const label = fc.constantFrom('app', 'level', 'sum', 'rate', 'ip', 'status', '_x1', 'é')
const text = fc.oneof(
  fc.constantFrom('a', '', '.*', 'a|b', 'x"y', 'line\nbreak', '`', '\\d+'),
  fc.string({ unit: 'binary', maxLength: 4 }),
)
const quoted = text.map((value) =>
  value.includes('`') || value.includes('\r') ? JSON.stringify(value) : `\`${value}\``,
)
const regexp = fc.constantFrom('"a.*"', '"info|warn"', '`[0-9]+`', '"(?i)x"', '"a`b+"', '".+"', '"a(b|c)"')
const blank = fc.constantFrom('', ' ', '\n', ' # note\n', ' /* note */ ', '\t// note\n')

const matcher = fc.oneof(
  fc.tuple(label, fc.constantFrom('=', '!='), quoted).map((parts) => parts.join('')),
  fc.tuple(label, fc.constantFrom('=~', '!~'), regexp).map((parts) => parts.join('')),
)
const selector = fc
  .tuple(fc.constant('app="a"'), fc.array(matcher, { maxLength: 2 }))
  .map(([first, rest]) => `{${[first, ...rest].join(', ')}}`)

const quantity = fc.constantFrom(
  '1',
  '-2.5',
  '+1e3',
  '1_000',
  '5s',
  '-1.5ms',
  '1h30m',
  '1d',
  '1.5KiB',
  '512B',
  '2MB',
  '1k',
)
const comparison = fc.oneof(
  matcher,
  fc.tuple(label, fc.constantFrom('=', '==', '!=', '>', '>=', '<', '<='), quantity).map((parts) => parts.join('')),
  label.map((name) => `${name}=ip("10.0.0.0/8")`),
)
const condition = fc.letrec<{ all: string }>((tie) => ({
  all: fc.oneof(
    { depthSize: 'small' },
    comparison,
    fc.tuple(tie('all'), fc.constantFrom(' and ', ' or ', ', ', ' '), tie('all')).map((parts) => parts.join('')),
    tie('all').map((inner) => `(${inner})`),
  ),
})).all

const list = (item: Arbitrary<string>): Arbitrary<string> =>
  fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(', '))
// Directly after label matchers, a negative filter would be parsed as another matcher of the last label.
const firstFilters = fc.constantFrom('', ' != "a"', ' !~ `b` or "c"', ' != "a" or ip("10.0.0.1") or "x"', ' !> "<_> a"')
const stage = fc.oneof(
  fc.tuple(quoted, quoted).map((texts) => `|= ${texts.join(' or ')}`),
  fc.constantFrom('|~ "a+"', '|> "a <_>"', '|= ip("::1")'),
  fc.constantFrom(
    '| json',
    '| logfmt --keep-empty',
    '| unpack',
    '| decolorize',
    '| regexp "(?P<n>x)"',
    '| pattern "<n> _"',
  ),
  list(label.map((name) => `${name}="a.b"`)).map((items) => `| json ${items}`),
  list(label).map((items) => `| logfmt --strict ${items}`),
  condition.map((inner) => `| ${inner}`),
  list(fc.oneof(label, matcher)).map((items) => `| drop ${items}`),
  list(label).map((items) => `| keep ${items}`),
  fc.constantFrom('| line_format "{{.a}}"', '| label_format a=b, c="{{.d}}"'),
)

export const logsText: Arbitrary<string> = fc
  .tuple(selector, firstFilters, fc.array(fc.tuple(blank, stage), { maxLength: 4 }))
  .map(([first, filters, stages]) => `${first}${filters}${stages.map((parts) => parts.join('')).join(' ')}`)

const range = fc.constantFrom('[5m]', '[1h30m]', '[90s]', '[2w]', '[0]')
const offset = fc.constantFrom('', ' offset 5m', ' offset -1.5s')
const grouping = fc.constantFrom('', ' by (a, b)', ' without ()', ' by ()', ' without (app)')

const rangeAggregation = fc.oneof(
  fc
    .tuple(fc.constantFrom('rate', 'count_over_time', 'bytes_rate'), logsText, range, offset)
    .map(([fn, logs, at, moved]) => `${fn}(${logs} ${at}${moved})`),
  fc
    .tuple(fc.constantFrom('avg_over_time(', 'quantile_over_time(0.5, '), selector, range, grouping)
    .map(([fn, logs, at, by]) => `${fn}${logs} | json | unwrap bytes(x) | a>1 ${at})${by}`),
)

const matching = fc.constantFrom(
  '',
  ' on (app)',
  ' ignoring (a, b)',
  ' on ()',
  ' bool',
  ' on (app) group_left (x)',
  ' ignoring () group_right ()',
)
const operator = fc.constantFrom('+', '-', '*', '/', '%', '^', '==', '!=', '>', '<=')
const setOperator = fc.constantFrom('and', 'OR', 'unless')

export const metricText: Arbitrary<string> = fc.letrec<{ metric: string; series: string }>((tie) => ({
  series: fc.oneof(
    { depthSize: 'small' },
    rangeAggregation,
    fc.constantFrom('vector(1)', 'vector(.5)'),
    fc.tuple(fc.constantFrom('sum', 'Max', 'topk', 'sort'), grouping, tie('series')).map(([op, by, inner]) => {
      if (op === 'topk') return `topk(3, ${inner})${by}`
      return op === 'sort' ? `sort(${inner})` : `${op}${by} (${inner})`
    }),
    tie('series').map((inner) => `label_replace(${inner}, "a", "$1", "b", "(.*)")`),
    fc.tuple(tie('series'), setOperator, tie('series')).map(([a, op, b]) => `(${a} ${op} ${b})`),
  ),
  metric: fc.oneof(
    { depthSize: 'small' },
    tie('series'),
    fc.constantFrom('1', '-2', '0.001', '1e9'),
    fc.tuple(tie('metric'), operator, matching, tie('series')).map(([a, op, on, b]) => `${a} ${op}${on} ${b}`),
    tie('metric').map((inner) => `(${inner})`),
  ),
})).metric

const MARKS = `{ } ( ) [5m] [ | |= !~ |> = == > , . "x" \` " 'a' --strict -5m 5KB 1e /* #`
const WORDS = 'rate sum by json unwrap ip and or offset bool on drop topk label_format vector x'
const SNIPPETS = `${MARKS} ${WORDS}`.split(' ')

/** Draws arbitrary texts, most of which are no valid query. */
export const anyQueryText: Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.array(fc.constantFrom(...SNIPPETS), { maxLength: 30 }).map((parts) => parts.join(' ')),
  fc
    .tuple(logsText, fc.nat(200), fc.constantFrom(...SNIPPETS))
    .map(([text, at, part]) => text.slice(0, at) + part + text.slice(at)),
)
