import { parseLogql } from '../../lang/logql/index.ts'
import type { ReadLanguage } from './language.ts'
import type { KnownDifference, SyntaxVerdict } from './second-reader.ts'
import type { TextGrammar } from './text-grammar.ts'

const grammar: TextGrammar = {
  query: ['$logs', '$logs', '$metric', '$metric'],
  logs: ['$selector', '$selector$stages', '$selector$stages'],
  selector: ['{app="a"}', '{app="a", $matcher}', '{ app=~"a.+" , $matcher, $matcher }', '{app="a"} # note\n'],
  matcher: ['$label="b"', '$label != "x"', '$label=~"a|b"', '$label!~`[0-9]+`'],
  label: ['env', 'level', 'status', '_x1', 'Pod', 'rate', 'sum'],
  stages: ['$stage', '$stage$stages'],
  stage: [
    ' |= "a"',
    ' != `b`',
    ' |~ "a+"',
    ' !~ "x|y"',
    ' |> "a <_>"',
    ' !> "<_> b"',
    ' |= "a" or "b"',
    ' |= ip("10.0.0.0/8")',
    ' | json',
    ' | json $extractions',
    ' | logfmt',
    ' | logfmt --strict --keep-empty $extractions',
    ' | unpack',
    ' | decolorize',
    ' | regexp "(?P<n>x)"',
    ' | pattern "<n> _"',
    ' | $condition',
    ' | $condition',
    ' | line_format "{{.a}}"',
    ' | label_format a=b',
    ' | label_format a="{{.b}}", c=d',
    ' | drop $choices',
    ' | keep $choices',
  ],
  extractions: ['$label="a.b"', '$label', '$label="x", $extractions'],
  choices: ['$label', '$matcher', '$label, $choices'],
  condition: [
    '$test',
    '$test',
    '$condition and $condition',
    '$condition or $condition',
    '$condition, $test',
    '($condition)',
  ],
  test: ['$matcher', '$label $compare $quantity', '$label = ip("10.0.0.1")', '?$label="a" $matcher'],
  compare: ['==', '=', '!=', '>', '>=', '<', '<='],
  quantity: ['1', '-2.5', '1e3', '5s', '1h30m', '1.5ms', '1d', '1KB', '1.5MiB', '512B'],
  metric: [
    '$ranged',
    '$ranged',
    '$grouped',
    '$grouped',
    '$binary',
    'label_replace($metric, "a", "$1", "b", "(.*)")',
    '($metric)',
    'vector(1)',
  ],
  ranged: [
    'rate($logs $range)',
    'count_over_time($logs$range)',
    'bytes_rate($logs $range$offset)',
    'bytes_over_time(($logs) $range)',
    'absent_over_time($logs $range)',
    'sum_over_time($logs | unwrap $unwrapped $range)',
    'avg_over_time($logs | unwrap $unwrapped | $condition $range)$grouping',
    'quantile_over_time(0.9, $logs | unwrap $label $range) by ($labels)',
    'first_over_time($logs | unwrap $label $range)',
    '?first_over_time($logs | unwrap $label $range offset 5m)',
    'rate_counter($logs | unwrap $label $range)',
  ],
  unwrapped: ['$label', 'duration($label)', 'bytes($label)', 'duration_seconds($label)'],
  range: ['[5m]', '[1h30m]', '[90s]', '[2w]'],
  offset: ['', ' offset 5m', ' offset -1h'],
  grouping: ['', ' by ($labels)', ' without ($labels)', ' by ()'],
  labels: ['$label', '$label, $labels'],
  grouped: [
    'sum($metric)',
    'max by ($labels) ($metric)',
    'avg($metric) without ($labels)',
    'count by () ($metric)',
    'topk(3, $metric)',
    'bottomk(2, $metric) by ($labels)',
    'approx_topk(2, $metric)',
    'sort($metric)',
    'sort_desc($metric)',
    'stddev($metric)',
  ],
  binary: [
    '$metric $arithmetic $metric',
    '$metric $set $metric',
    '$metric $arithmetic $number',
    '$number $arithmetic $metric',
  ],
  arithmetic: [
    '+',
    '-',
    '*',
    '/',
    '%',
    '^',
    '==',
    '!=',
    '>',
    '>=',
    '<',
    '<=',
    '> bool',
    '/ on ($labels)',
    '* ignoring ($labels) group_left ($labels)',
    '+ on () group_right ()',
  ],
  set: ['and', 'or', 'unless', 'and on ($labels)'],
  number: ['1', '2.5', '-3', '.5', '1e9'],
}

const TOKENS =
  '{ } ( ) [5m] [ | |= !~ |> = == > , . "x" ` 5 -5m 5KB rate sum by json unwrap ip and or offset bool on drop topk label_format vector x'

/** Codes of syntax errors. The other parser does not check semantics. */
const FORM = new Set(['unexpected', 'bad-token', 'unknown-function', 'too-many-errors'].map((code) => `logql/${code}`))

function verdictOf(text: string): SyntaxVerdict {
  const found = parseLogql(text, { isFormatOnly: true }).diagnostics.find(({ code }) => FORM.has(code))
  return { isAccepted: found === undefined, fault: found?.message ?? '' }
}

const knownDifferences: readonly KnownDifference[] = [
  {
    why: 'conditions may stand side by side, without a comma between them',
    fits: (text) =>
      /(?:["`)]\s*|\b[0-9]\w*\s+)[A-Za-z_]\w*\s*[=!<>]/.test(text) ||
      /(?<!\b(?:and|or))\s+\(+[A-Za-z_]\w*\s*[=!<>]/.test(text),
    examples: ['{app="a"} | a="x" b="y"', '{app="a"} | a="x" (b="y")'],
    isOursStricter: false,
  },
  {
    why: 'an offset may follow the range of unwrapped values behind other stages',
    fits: (text) => /\bunwrap\b.*\]\s*offset/.test(text),
    examples: ['first_over_time({app="a"} | json | unwrap b [5m] offset 1h)'],
    isOursStricter: false,
  },
  {
    why: 'durations and sizes have all forms of Go',
    fits: (text) => /[0-9][a-zµ]+[0-9.]+[a-z]|(?<![\w.])\.[0-9]+[a-zA-Z]|[0-9]e\b/.test(text),
    examples: ['rate({app="a"}[5m] offset 5m5m)', '{app="a"} | b > .5KB', '{app="a"} | b > 1e'],
    isOursStricter: false,
  },
  {
    why: 'a comment may begin with //',
    fits: (text) => text.includes('//'),
    examples: ['vector(1) // one'],
    isOursStricter: false,
  },
  {
    why: 'names of functions are labels where nothing calls them',
    fits: (text) => /\b(?:vector|label_replace|ip)\b(?!\s*\()/.test(text),
    examples: ['sum by (vector) (vector(1))'],
    isOursStricter: false,
  },
  {
    why: 'a range is one token of whole numbers, from large units to small ones',
    fits: (_, fault) => fault === 'This is no range.',
    examples: ['rate({app="a"}[ 5m])', 'rate({app="a"}[1.5h])', 'rate({app="a"}[-5m])'],
    isOursStricter: true,
  },
  {
    why: 'no comma ends a list',
    fits: (text) => /,\s*\)/.test(text),
    examples: ['vector(1) / on (a, ) vector(1)'],
    isOursStricter: true,
  },
  {
    why: 'a flag ends where its word ends',
    fits: (text) => /--(?:strict|keep-empty)[\w-]/.test(text),
    examples: ['{app="a"} | logfmt --strict--keep-empty', '{app="a"} | logfmt --keep-emptya'],
    isOursStricter: true,
  },
  {
    why: 'keywords are no labels',
    fits: (text, fault) =>
      /\b(?:logfmt|json)\s+(?:and|or)\b/.test(text) ||
      /^`(?:by|and|or|bool|on|json|unwrap|offset|drop)` does not belong here/.test(fault),
    examples: ['sum by (by) (vector(1))', '{app="a"} | json by', '{app="a"} | logfmt and | unpack'],
    isOursStricter: true,
  },
]

/** LogQL, and the parser of Grafana's editor for it. */
export const logqlReaders: ReadLanguage = {
  name: 'logql',
  load: () => import('@grafana/lezer-logql'),
  grammar,
  tokens: TOKENS.split(' '),
  verdictOf,
  knownDifferences,
}
