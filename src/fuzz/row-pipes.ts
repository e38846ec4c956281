import { numberTexts } from './dataset.ts'
import { writeFilter } from './filters.ts'
import { writeBucketize } from './stats-calls.ts'
import { fieldText, type PipeGenerator, type Writer } from './writer.ts'

const NEW_NAMES = ['out', 'x', 'a', 'level'] as const
export const WEIGHT = 0.6

/** Writes a condition, which every row-wise pipe may have. */
function maybeIf(w: Writer, name: string): string {
  if (!w.chance(0.3)) return ''
  w.use('pipe-option/if')
  w.use(`if/${name}`)
  return ` if (${w.chance(0.5) ? w.filled(w.pick(['{level}:error', '{status}:>=400', '{a}:""'])) : writeFilter(w, 0)})`
}

/** Draws a name for the output column of a pipe. */
export function target(w: Writer): string {
  const name = w.pick(NEW_NAMES)
  w.fields = [...new Set([...w.fields, name])]
  return name
}

function rowWise(name: string, write: (w: Writer) => string): PipeGenerator {
  return { name, weight: WEIGHT, write: (w) => `${name}${maybeIf(w, name)} ${write(w)}` }
}

const keep = (w: Writer): string => w.pick(['', '', ' keep_original_fields', ' skip_empty_results'])

const OPERATORS = ['+', '-', '*', '/', '%', '^', 'default', '&', 'or', 'xor'] as const
const CONSTANTS = ['1', '2', '0.5', '100', '1KB', '1.5MiB', '2s', '-3', '1e3', '10.0.0.1', '"2026-01-02"', 'inf', 'nan']

function mathExpression(w: Writer, depth = 2): string {
  const operand = (): string => {
    if (depth > 0 && w.chance(0.4)) return `${w.pick(['', '', '-'])}(${mathExpression(w, depth - 1)})`
    return w.chance(0.6)
      ? w.filled(w.pick(['{duration_ms}', '{status}', '{a}', ...(w.has('time') ? ['_time'] : [])]))
      : w.pick(CONSTANTS)
  }
  if (w.own.math.length > 0 && w.chance(0.35)) {
    const own = w.pick(w.own.math)
    w.use(`math/${own.name}`)
    return own.write(w, operand)
  }
  const kind = w.random.below(9)
  if (kind <= 1) {
    const fn = w.pick(['abs', 'ceil', 'floor', 'exp', 'ln'])
    w.use(`math/${fn}`)
    return `${fn}(${operand()})`
  }
  if (kind === 2) {
    w.use('math/round')
    return `round(${operand()}${w.pick(['', ', 10', ', 0.1'])})`
  }
  if (kind === 3) {
    const fn = w.pick(['min', 'max'])
    w.use(`math/${fn}`)
    return `${fn}(${w.list(2, 3, operand).join(', ')})`
  }
  if (kind === 4 && w.chance(0.35)) {
    w.use('math/rand')
    // A different random number below 1 for each row.
    return w.pick(['floor(rand())', 'rand() ^ 0', '0 * rand()'])
  }
  if (kind === 4 && w.chance(0.5)) {
    w.use('math/now')
    return `now() - ${operand()}`
  }
  const op = w.pick(OPERATORS)
  w.use(`math/${op}`)
  return `${operand()} ${op} ${operand()}`
}

const FORMATS = [
  '<{level}>: <{content}>',
  '<uc:{level}>',
  '<lc:{content}>',
  '<q:{content}>',
  '<{a}>-<{b.c}>',
  '<time:{a}>',
  '<duration:{status}>',
  '<duration_seconds:{a}>',
  '<ipv4:{status}>',
  '<urlencode:{content}>',
  '<urldecode:{content}>',
  '<hexencode:{level}>',
  '<hexdecode:{content}>',
  '<hexnumencode:{status}>',
  '<hexnumdecode:{content}>',
  '<base64encode:{content}>',
  '<base64decode:{workload}>',
  '<missing>',
  'fixed',
] as const

function formatText(w: Writer): string {
  const format = (): string => JSON.stringify(w.filled(w.pick(FORMATS), (name) => name))
  if (!w.chance(0.15)) return format()
  w.use('pipe-option/switch')
  const cases = w.list(1, 2, () => `case (${writeFilter(w, 0)}) ${format()}`)
  return `switch(${[...cases, ...(w.chance(0.7) ? [`default ${format()}`] : [])].join(', ')})`
}

/** Draws the text field in most cases, otherwise another field. */
function textField(w: Writer): string {
  return w.chance(0.7) ? w.like('content') : w.untimedField()
}

const someFields = (w: Writer): string =>
  w.pick([
    w.filled('{level}, {workload}'),
    w.filled('{level}, {status}, {a}'),
    w.namePattern(['s*']),
    `${w.namePattern(['b.*'])}, ${w.like('level')}`,
    '*',
    w.has('time') ? `_time, ${w.like('a')}` : w.field(),
  ])

/** Writes a prefix for result columns, for pipes that make many columns. */
const resultPrefix = (w: Writer): string => w.pick(['', ' result_prefix "j."', ' result_prefix "l."'])

const COMPUTED = [
  'round($)',
  'round($, 0.1)',
  'abs($)',
  'floor($)',
  'ceil($)',
  'add($, 1)',
  'mul($, "2")',
  'number($)',
  'datetime-extract($, hour)',
] as const

const DATE_PARTS = [
  'year',
  'quarter',
  'month',
  'week',
  'day',
  'day_of_week',
  'day_of_year',
  'hour',
  'minute',
  'second',
  'millisecond',
] as const

/** Generators of the pipes that read one row at a time. */
export const rowPipes: readonly PipeGenerator[] = [
  {
    name: 'math',
    weight: 2.2,
    write: (w) => {
      const names = [...new Set(w.list(1, 2, () => w.pick(NEW_NAMES)))]
      const condition = maybeIf(w, 'math')
      const results = names.map((name) => `${mathExpression(w)} as ${name}`)
      w.fields = [...new Set([...w.fields, ...names])]
      return `math${condition} ${results.join(', ')}`
    },
  },
  rowWise('format', (w) => `${formatText(w)} as ${target(w)}${keep(w)}`),
  rowWise(
    'extract',
    (w) =>
      `${JSON.stringify(w.pick(['<first> <rest>', 'error <out>', '<x>-<_>', '(<out>)', '"<q:x>"', '<x>=<y> ']))} from ${textField(w)}${keep(w)}`,
  ),
  rowWise(
    'extract_regexp',
    (w) =>
      `${JSON.stringify(w.pick(['(?P<out>[a-z]+)', '(?P<x>[0-9]+)(?P<y>[a-z]?)', '(?i)(?P<x>err|time)']))} from ${textField(w)}${keep(w)}`,
  ),
  rowWise(
    'replace',
    (w) =>
      `(${JSON.stringify(w.chance(0.9) ? w.word() : w.pick(['o', '']))}, ${JSON.stringify(w.pick(['', '***', 'ß']))}) at ${textField(w)}${w.pick(['', ' limit 1'])}`,
  ),
  rowWise(
    'replace_regexp',
    (w) =>
      `(${JSON.stringify(w.pick(['[0-9]+', '(a|e)', '^.', '', 'x*']))}, ${JSON.stringify(w.pick(['<$0>', '', '$1$1']))}) at ${textField(w)}${w.pick(['', ' limit 1'])}`,
  ),
  rowWise('collapse_nums', (w) => `at ${textField(w)}${w.pick(['', ' prettify'])}`),
  rowWise(
    'coalesce',
    (w) =>
      `(${w.pick([w.filled('{a}, {b.c}, {level}'), w.namePattern(['b*']), `${w.field()}, ${w.like('a')}`])})${w.pick(['', ' default "none"'])} as ${target(w)}`,
  ),
  rowWise('len', (w) => `(${w.field()}) as ${target(w)}`),
  rowWise('split', (w) => `${JSON.stringify(w.pick([' ', '-', '', 'e']))} from ${textField(w)} as ${target(w)}`),
  rowWise('unroll', (w) => w.by(w.pick([w.like('a'), w.filled('{a}, {b.c}'), w.untimedField()]))),
  rowWise('unpack_words', (w) => `from ${textField(w)} as ${target(w)}${w.pick(['', ' drop_duplicates'])}`),
  rowWise(
    'unpack_json',
    (w) =>
      `from ${w.like(w.pick(['a', 'b.c', 'content']))}${w.pick(['', ' fields (a, x*)', ' fields (level)'])}${w.pick(['', ' preserve_keys (b)'])}${resultPrefix(w)}${keep(w)}`,
  ),
  rowWise(
    'unpack_logfmt',
    (w) => `from ${w.like(w.pick(['a', 'content']))}${w.pick(['', ' fields (x, level)'])}${resultPrefix(w)}${keep(w)}`,
  ),
  rowWise(
    'unpack_syslog',
    (w) =>
      `from ${w.like(w.pick(['a', 'content']))}${w.pick(['', ' offset 2h'])}${resultPrefix(w)}${w.pick(['', ' keep_original_fields'])}`,
  ),
  rowWise('pack_json', (w) => `fields (${someFields(w)}) as ${target(w)}`),
  rowWise('pack_logfmt', (w) => `fields (${someFields(w)}) as ${target(w)}`),
  rowWise('json_array_len', (w) => `(${w.like(w.pick(['a', 'b.c']))}) as ${target(w)}`),
  rowWise('json_array_concat', (w) => `${w.pick(['","', '""'])} from ${w.like(w.pick(['a', 'b.c']))} as ${target(w)}`),
  rowWise('json_array_get', (w) => `${w.pick([0, 1, 5])} from ${w.like(w.pick(['a', 'b.c']))} as ${target(w)}`),
  rowWise('hash', (w) => `(${w.like(w.pick(['content', 'level', 'status']))}) as ${target(w)}`),
  rowWise(
    'time_add',
    (w) => `${w.pick(['1h', '-30m', '1ns'])}${w.has('time') && w.chance(0.7) ? '' : ` at ${w.like('a')}`}`,
  ),
  rowWise('decolorize', (w) => textField(w)),
  { ...rowWise('set_stream_fields', (w) => w.pick(['workload', 'level, workload', 'names*', 'a'])), needs: 'logs' },
  {
    name: 'datetime_extract',
    weight: WEIGHT,
    write: (w) =>
      `datetime_extract ${w.pick(DATE_PARTS)} from ${w.has('time') && w.chance(0.7) ? '_time' : w.field()} as ${target(w)}`,
  },
  rowWise('drop_empty_fields', () => ''),
  {
    name: 'bucketize',
    weight: WEIGHT,
    write: (w) => {
      const text = writeBucketize(w)
      return w.chance(0.3) ? text : `${text} as ${target(w)}`
    },
  },
  {
    name: 'compute',
    weight: WEIGHT,
    write: (w) => `compute ${w.pick(COMPUTED).replace('$', w.field())} as ${target(w)}`,
  },
  {
    name: 'copy',
    weight: WEIGHT,
    write: (w) => (w.chance(0.2) ? `copy ${w.namePattern(['s*', 'b.*'])} as x*` : `copy ${w.field()} as ${target(w)}`),
  },
  {
    name: 'delete',
    weight: WEIGHT,
    write: (w) => {
      if (w.chance(0.15)) return `delete ${w.namePattern(['b*', 'd*', 'x*'])}`
      const gone = w.name()
      if (w.fields.length > 1) w.fields = w.fields.filter((name) => name !== gone)
      return `delete ${fieldText(gone)}`
    },
  },
]

/** Writes a row with these fields as query text. Its values have every type, and some of them occur in the data. */
export function inlineRow(w: Writer, names: readonly string[]): string {
  const members = names
    .filter(() => w.chance(0.6))
    .map((name) => {
      const ofLogs = ['error', 'warn', '', '500', '1.50', '200', ...numberTexts]
      const value = w.has('logs') ? w.pick(ofLogs) : w.value(name)
      const isBare = /^(\d+|true|false|null)$/.test(value) && w.chance(0.5)
      return `${JSON.stringify(name)}:${isBare ? value : JSON.stringify(value)}`
    })
  return `{${members.join(',')}}`
}
