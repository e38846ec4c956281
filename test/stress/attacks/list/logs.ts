import type { Attack } from '../attack.ts'

const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** Returns a number written in letters, so that each number is a different word. */
const word = (index: number): string => index.toString(26).replaceAll(/\d/g, (digit) => 'klmnopqrst'.charAt(+digit))

/** Names of the attacks that take longest or whose code checks limits least often. */
const worst: ReadonlySet<string> = new Set([
  '60 regexps in OR',
  '2,000 substrings in OR',
  'groups by every field',
  'a million time steps',
  'deep pipeline of regexps',
  'union of unions',
  'generate_sequence',
])

/** Returns an attack that consists of a single query. */
const question = (name: string, query: string): Attack => ({
  name,
  isOne: true,
  isWorst: worst.has(name),
  run: (caller) => caller.searchLogs(query),
})

/** Returns an attack whose query repeats a pipe `count` times after a filter. */
const chain = (name: string, first: string, count: number, pipe: (index: number) => string): Attack =>
  question(name, [first, ...times(count, pipe)].join(' | '))

function nestedIn(depth: number): string {
  return depth === 0 ? 'level:error' : `trace_id:in(${nestedIn(depth - 1)} | fields trace_id)`
}

const everyField = 'content, trace_id, pod, workload, namespace, env, cluster, level, status, duration_ms'

/** Attacks by short queries that produce much data or take long. */
export const logAttacks: readonly Attack[] = [
  question('60 regexps in OR', times(60, (i) => `content:~"(${word(i)}|[0-9]+x).*${word(i)}z+"`).join(' or ')),
  question('one slow regexp', 'content:~"(([a-z]+)*[0-9]?)*#$"'),
  question('in() nested ten deep', `${nestedIn(10)} | stats count() as n`),
  question(
    '900 count() if',
    `* | stats ${times(900, (i) => `count() if (content:"w${word(i)}") as c${i}`).join(', ')}`,
  ),
  question('2,000 substrings in OR', times(2000, (i) => `content:~"${word(i)}#"`).join(' or ')),
  question('4,000 words in OR', times(4000, (i) => `w${word(i)}`).join(' or ')),
  question('4,000 words without', times(4000, (i) => `!w${word(i)}`).join(' ')),
  question('sort by (content)', '* | sort by (content)'),
  question('sort by ten fields', `* | sort by (${everyField})`),
  question('60 uniq_values(content)', `* | stats ${times(60, (i) => `uniq_values(content) as v${i}`).join(', ')}`),
  question('60 values(content)', `* | stats ${times(60, (i) => `values(content) as v${i}`).join(', ')}`),
  question('json_values of whole rows', `* | stats ${times(20, (i) => `json_values() as v${i}`).join(', ')}`),
  question('groups by every field', `* | stats by (${everyField}) count() as n, values(content) as c`),
  question('uniq by every field', `* | uniq by (${everyField})`),
  question(
    'unroll x5',
    `* | limit 400 | stats values(content) as a | format "<a>" as b | format "<a>" as c | format "<a>" as d | format "<a>" as e` +
      ' | unroll by (a) | unroll by (b) | unroll by (c) | unroll by (d) | unroll by (e)',
  ),
  chain('format doubling', '* | limit 400', 20, () => 'format "<content><content>" as content'),
  chain('format doubling one row', '* | limit 1', 40, () => 'format "<content><content>" as content'),
  chain('format of all rows', '*', 4, () => 'format "<content><content><content><content>" as content'),
  chain('hexencode x25', '* | limit 1', 25, () => 'format "<hexencode:content>" as content'),
  chain('quoting x25', '* | limit 1', 25, () => 'format "<q:content>" as content'),
  chain('urlencode x25', '* | limit 100', 25, () => 'format "<urlencode:content>%" as content'),
  chain('replace doubling', '* | limit 100', 40, () => 'replace ("e", "eeee") at content'),
  chain('replace_regexp doubling', '* | limit 1', 20, () => 'replace_regexp ("(.)", "$1$1$1$1") at content'),
  chain('pack_json of pack_json', '* | limit 10', 50, (i) => `pack_json as j${i}`),
  chain('pack_logfmt of pack_logfmt', '* | limit 10', 50, (i) => `pack_logfmt as j${i}`),
  question('unpack_words of all rows', '* | unpack_words from content as words | unroll by (words)'),
  question('extract of all rows', '* | extract "<a> <b> <c> <d> <e>" | sort by (e, d, c, b, a)'),
  question('a million time steps', '* | stats by (_time:1µs, content, pod, trace_id) count() as n'),
  question('join of all with all', '* | fields env, content | join by (env) (* | fields env, content)'),
  question('cross join', '* | fields content | join by () (* | fields content) cross'),
  question(
    'join of joins',
    '* | fields env | join by (env) (* | fields env) | join by (env) (* | fields env) | stats count() as n',
  ),
  question('union of unions', `* ${times(12, () => '| union (*)').join(' ')} | sort by (content)`),
  question(
    'window over everything',
    '* | window partition by (level) order by (content) lag(content) as a, row_number() as n',
  ),
  question('stream context', '* | stream_context before 1000 after 1000'),
  question('facets', '* | facets 1000'),
  question('patterns', '* | patterns'),
  chain('deep pipeline over all rows', '*', 60, (i) => `math duration_ms + ${i} as m${i}`),
  chain('deep pipeline of regexps', '*', 60, (i) => `extract_regexp "(?P<f${i}>[a-z]+${i}[0-9]*)" from content`),
  question(
    'a new field in each row',
    '* | generate_sequence 200000 | format "{\\"f<content>\\":1}" as content | unpack_json | sort by (content)',
  ),
  question('fill of all gaps', '* | stats by (_time:10ms fill, content) count() as n'),
  question('running_stats of everything', '* | running_stats count() as n, last(content) offset 100000 as c'),
  question('generate_sequence', 'generate_sequence 100000000 | format "<_seq> <_seq>" as x | sort by (x)'),
]
