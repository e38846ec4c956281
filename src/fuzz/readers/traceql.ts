import { parseTraceql } from '../../lang/traceql/index.ts'
import type { ReadLanguage } from './language.ts'
import type { KnownDifference, SyntaxVerdict } from './second-reader.ts'
import type { TextGrammar } from './text-grammar.ts'

const grammar: TextGrammar = {
  query: [
    '$search',
    '$search',
    '$metrics',
    '$search with (most_recent=true)',
    '?$search with ($hint)',
    '?$metrics with ($hint, $hint)',
  ],
  hint: ['most_recent=true', 'sample=0.1', 'x="y"', 'n=5'],
  search: ['$spans', '$first', '$pipeline', '$pipeline', '$pipelines'],
  pipelines: ['($staged)', '($staged) $relation ($staged)', '($pipelines) $relation ($spans)'],
  staged: ['$spans | $stage', '$pipeline | $stage'],
  pipeline: ['$spans | $stage', '$first | $stage', '$pipeline | $stage', '$spans'],
  first: ['$scalar $compare $value', 'by($key)', 'select($fields)'],
  stage: ['$first', '$spans', '$first', 'coalesce()'],
  spans: ['{}', '$filter', '$filter', '$filter', '$spans $relation $spans', '($spans)'],
  relation: ['&&', '||', '>', '>>', '<', '<<', '~', '!>', '!>>', '!<', '!<<', '!~', '&>', '&>>', '&<', '&<<', '&~'],
  filter: ['{ }', '{ $condition }', '{$condition}', '{ $condition } // note\n', '{ /* note */ $condition }'],
  condition: [
    '$test',
    '$test',
    '$condition && $condition',
    '$condition || $condition',
    '!($condition)',
    '($condition)',
  ],
  test: [
    '.vip',
    'true',
    '$string = "a b"',
    '$string != `x"y`',
    '$string = "a\\"b"',
    '?$string = "a\\n\\x41"',
    '$attribute =~ "a.*"',
    '$string !~ `[0-9]+`',
    'status = $status',
    'span:kind != $kind',
    'kind = $kind',
    '$attribute = nil',
    '$attribute != nil',
    'nil = $attribute',
    '$number $compare $number',
    '$attribute = $status',
    '($condition) = .vip',
  ],
  status: ['error', 'ok', 'unset'],
  kind: ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'],
  compare: ['=', '!=', '<', '<=', '>', '>='],
  attribute: [
    '.a',
    'span.http.status_code',
    'resource.service.name',
    'event.k',
    'link.kind',
    'instrumentation.lang',
    'span.a-b',
    'span."with space"',
    '.größe',
    '.a/b',
    '?span.5a',
    '.a.',
    '.name',
  ],
  string: [
    'name',
    'statusMessage',
    'span:name',
    'span:statusMessage',
    'rootName',
    'rootServiceName',
    'trace:rootName',
    'trace:rootService',
    'trace:id',
    'span:id',
    'span:parentID',
    'event:name',
    'link:traceID',
    'link:spanID',
    'instrumentation:name',
    'instrumentation:version',
  ],
  numeric: [
    'duration',
    'traceDuration',
    'span:duration',
    'trace:duration',
    'event:timeSinceStart',
    '?span:childCount',
    '?nestedSetLeft',
    '?nestedSetRight',
    '?nestedSetParent',
  ],
  number: [
    '$attribute',
    '$numeric',
    '$constant',
    '$value',
    '-$number',
    '($number)',
    '$number $arithmetic $number',
    '$number $arithmetic $number',
  ],
  arithmetic: ['+', '-', '*', '/', '%', '^'],
  constant: ['5', '?minInt', '?maxInt'],
  value: ['5', '0', '-1', '1.5', '5ms', '0.5s', '1h', '1.5µs', '100us', '?.5', '?4e2', '?1s500ms', '?1d', '?2w'],
  scalar: ['count()', 'avg($field)', 'max($field)', 'min($attribute * 2)', 'sum($attribute)', '(count())'],
  key: ['$field', '$attribute > 2', '$attribute % 2', '$string'],
  field: ['$attribute', 'duration', '$numeric'],
  any: ['$attribute', '$numeric', '$string', 'status', 'kind'],
  fields: ['$any', '$any, $fields'],
  metrics: ['$metric', '$metric', '$metric$second', '?$arithmetics', '$spans | compare($filter$top)'],
  top: ['', ', 5', ', 5, 1000, 2000'],
  metric: ['$pipeline | $call', '$spans | $call', '$spans | $call by ($fields)', '$spans | $call by(parent.a)'],
  call: [
    'rate()',
    'count_over_time()',
    'min_over_time($any)',
    'max_over_time($any)',
    'avg_over_time($any)',
    'sum_over_time($any)',
    'histogram_over_time($any)',
    '?quantile_over_time($any, .5)',
    'quantile_over_time($any, 0.5, 0.99, 1)',
  ],
  second: [' | topk(5)', ' | bottomk(2)', '? | bottomk(2) | topk(1)', '? $compare 20', '? > 1.5 | topk(2)'],
  arithmetics: [
    '($metric) $plain ($metric)',
    '($metric) $plain 2',
    '2 $plain ($metrics)',
    '($arithmetics) / ($metric)',
  ],
  plain: ['+', '-', '*', '/'],
}

const TOKENS =
  '{ } ( ) | || && > >> !> &~ = != =~ ! - + * / , . .a span. parent.x "x" ` 5 5ms nil name by select rate topk with'

/** Codes of syntax errors. The other parser does not check semantics. */
const FORM = new Set(
  ['unexpected', 'bad-token', 'unknown-name', 'duration-operand', 'too-many-errors'].map((code) => `traceql/${code}`),
)

function verdictOf(text: string): SyntaxVerdict {
  const found = parseTraceql(text).diagnostics.find(({ code }) => FORM.has(code))
  return { isAccepted: found === undefined, fault: found?.message ?? '' }
}

/** True for a text that computes with metrics or compares their samples. */
function combinesMetrics(text: string): boolean {
  const isMetric = /\b(?:rate|\w+_over_time|compare)\s*\(/.test(text)
  if (isMetric && /\)\s*[-+*/]\s*[-(0-9.]|[0-9.]\s*[-+*/]\s*\(/.test(text)) return true
  return /(?:rate|_over_time)\s*\([^()]*\)(?:\s*by\s*\([^()]*\))?(?:\s*\|\s*\w+\s*\(\s*\d+\s*\))*[\s)]*(?:!=|[=<>])/.test(
    text,
  )
}

const knownDifferences: readonly KnownDifference[] = [
  {
    why: 'there are other hints than most_recent',
    fits: (text) => /\bwith\s*\((?!\s*most_recent\s*=\s*\w+\s*\))/.test(text),
    examples: ['{} with (x="y")', '{} | rate() with (sample=0.1)'],
    isOursStricter: false,
  },
  {
    why: 'metrics are combined by arithmetic, and their samples compared',
    fits: combinesMetrics,
    examples: ['({} | rate()) + ({} | rate())', '2 * ({} | rate())', '{} | rate() > 5', '({} | rate() by(parent)) = 2'],
    isOursStricter: false,
  },
  {
    why: 'numbers may begin or end in a point, or have an exponent',
    fits: (text) => /(?<![\w.])\.[0-9]|[0-9]e[+-]?[0-9]|[0-9]\.(?![0-9])/.test(text),
    examples: ['{ .a = .5 }', '{ .a = 4e2 }', 'count() > 5.'],
    isOursStricter: false,
  },
  {
    why: 'durations have several units, also days, weeks and years',
    fits: (text) => /[0-9](?:ns|us|µs|ms|[smhdwy])[0-9]|[0-9][dwy]/.test(text),
    examples: ['{ duration > 1s500ms }', '{ duration > 2w }'],
    isOursStricter: false,
  },
  {
    why: 'limits of whole numbers, nested sets and numbers of children have names',
    fits: (text) => /maxInt|minInt|nestedSet|childCount/.test(text),
    examples: ['{ .a < maxInt }', '{ nestedSetParent < 0 }', 'by(span:childCount)'],
    isOursStricter: false,
  },
  {
    why: 'strings have all escapes of Go',
    fits: (text) => /\\[^"\\]/.test(text),
    examples: [String.raw`{ .a = "\n\x41" }`],
    isOursStricter: false,
  },
  {
    why: 'the name of an attribute may begin with a digit, a mark or a scope, and have quotes in it',
    fits: (text) => /\.(?:[0-9./+*%-]|(?:span|resource|event|link|instrumentation|parent|trace)[.:]|\w+")/.test(text),
    examples: [
      '{ span.5a = 1 }',
      '{ ..a = 1 }',
      '{ .instrumentation.lang = 1 }',
      '{ span.span:id = 1 }',
      '{ .with"a b" = 1 }',
    ],
    isOursStricter: false,
  },
  {
    why: 'blanks may stand between all tokens',
    fits: (text) => /\(\s+\)|:\s|\bcount\s+\(/.test(text),
    examples: ['{} | rate( )', '{ span: name = "a" }', 'count () = 0'],
    isOursStricter: false,
  },
  {
    why: 'nil stands beside = or !=',
    fits: (_, fault) => fault.endsWith('Expected `=`, `!=`.'),
    examples: ['{ nil }', '{ .a > nil }'],
    isOursStricter: true,
  },
  {
    why: 'by takes one field',
    fits: (text, fault) => /\bby\s*\([^()]*,/.test(text) && fault.startsWith('`,` does not'),
    examples: ['by(span.a,.b)', '{} | by(name,.b)'],
    isOursStricter: true,
  },
  {
    why: 'lists of fields have no expressions',
    fits: (_, fault) => /Expected (?:an attribute, `duration`, `name`|`\)`, `,`\.)/.test(fault),
    examples: ['{} | select(.a + 1)', '{} | select("a")', '{} | rate() by (-.a)'],
    isOursStricter: true,
  },
  {
    why: 'stages and metrics are no operands of relations, and stand in their order',
    fits: (_, fault) =>
      fault.endsWith('Expected `(`.') ||
      /^`(?:[!&]?(?:>>?|<<?|~)|&&|\|\|?|by|coalesce|select|compare|topk|bottomk|count|avg|min|max|sum|rate|\w+_over_time)` does not/.test(
        fault,
      ),
    examples: [
      '{} || by(name)',
      '{} | by(name) && {}',
      '{} | rate() | rate()',
      '{} | topk(2)',
      'coalesce()',
      '({} | by(name)) && {}',
    ],
    isOursStricter: true,
  },
  {
    why: 'an attribute is one token without blanks',
    fits: (text) => /\b(?:span|resource|event|link|instrumentation|parent|trace)\s+[.:]|\.(?:\s|\/[/*])/.test(text),
    examples: ['{ span . a = 1 }', '{ . status = 1 }', '{ span./* x */ true }'],
    isOursStricter: true,
  },
  {
    why: 'letters behind a number are a unit first',
    fits: (text) => /[0-9](?:ns|us|µs|ms|[smhdwy])[a-z]/.test(text),
    examples: ['{} | count() > 5with (most_recent=true)'],
    isOursStricter: true,
  },
  {
    why: 'variables of dashboards are no values',
    fits: (text) => text.includes('$'),
    examples: ['{ .a = $x }'],
    isOursStricter: true,
  },
  {
    why: 'whole numbers have 64 bits',
    fits: (_, fault) => fault === 'This is no number of the language.',
    examples: ['{ .a = 99999999999999999999 }'],
    isOursStricter: true,
  },
]

/** TraceQL, and the parser of Grafana's editor for it. */
export const traceqlReaders: ReadLanguage = {
  name: 'traceql',
  load: () => import('@grafana/lezer-traceql'),
  grammar,
  tokens: TOKENS.split(' '),
  verdictOf,
  knownDifferences,
}
