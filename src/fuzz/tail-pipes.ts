import { words } from './dataset.ts'
import { fieldText, type PipeGenerator, type Writer } from './writer.ts'

const NEW_NAMES = ['out', 'x', 'a', 'level'] as const

/** A condition that every row-wise pipe may have. */
function maybeIf(w: Writer): string {
  if (!w.chance(0.3)) return ''
  w.use('pipe-option/if')
  return ` if (${w.pick(['level:error', 'status:>=400', `content:${w.pick(['error', 'timeout'])}`, 'a:""'])})`
}

function target(w: Writer): string {
  const name = w.pick(NEW_NAMES)
  w.fields = [...new Set([...w.fields, name])]
  return name
}

function rowWise(name: string, write: (w: Writer) => string): PipeGenerator {
  return { name, weight: 0.6, write: (w) => `${name}${maybeIf(w)} ${write(w)}` }
}

const keep = (w: Writer): string => w.pick(['', '', ' keep_original_fields', ' skip_empty_results'])

function mathExpression(w: Writer, depth = 2): string {
  const operand = (): string => {
    if (depth > 0 && w.chance(0.3)) return `(${mathExpression(w, depth - 1)})`
    return w.chance(0.5) ? w.pick(['duration_ms', 'status', 'a']) : w.pick(['1', '2', '0.5', '100', '1KB', '2s'])
  }
  const kind = w.random.below(5)
  if (kind === 0) return `${w.pick(['abs', 'ceil', 'floor', 'round'])}(${operand()})`
  if (kind === 1) return `${w.pick(['min', 'max'])}(${operand()}, ${operand()})`
  return `${operand()} ${w.pick(['+', '-', '*', '/', '%', 'default', '&', 'or', 'xor'])} ${operand()}`
}

const two = (w: Writer): string => [...new Set(w.list(1, 2, () => w.pick(w.fields)))].map(fieldText).join(', ')

/** The long tail of pipes. */
export const tailPipes: readonly PipeGenerator[] = [
  rowWise('math', (w) => `${mathExpression(w)} as ${target(w)}`),
  rowWise(
    'format',
    (w) =>
      `${JSON.stringify(w.pick(['<level>: <content>', '<uc:level>', '<q:content>', '<a>-<b.c>', '<hexencode:level>', '<base64encode:content>', 'fixed']))} as ${target(w)}${keep(w)}`,
  ),
  rowWise(
    'extract',
    (w) =>
      `${JSON.stringify(w.pick(['<first> <rest>', 'error <out>', '<x>-<_>', '(<out>)']))} from ${w.pick(['content', 'workload'])}${keep(w)}`,
  ),
  rowWise(
    'extract_regexp',
    (w) => `${JSON.stringify(w.pick(['(?P<out>[a-z]+)', '(?P<x>[0-9]+)(?P<y>[a-z]?)']))} from content${keep(w)}`,
  ),
  rowWise(
    'replace',
    (w) =>
      `(${JSON.stringify(w.pick(words))}, ${JSON.stringify(w.pick(['', '***', 'ß']))}) at ${w.pick(['content', 'level'])}${w.pick(['', ' limit 1'])}`,
  ),
  rowWise(
    'replace_regexp',
    (w) =>
      `(${JSON.stringify(w.pick(['[0-9]+', '(a|e)', '^.']))}, ${JSON.stringify(w.pick(['<$0>', '', '$1$1']))}) at content${w.pick(['', ' limit 1'])}`,
  ),
  rowWise('collapse_nums', (w) => `at ${w.pick(['content', 'a'])}${w.pick(['', ' prettify'])}`),
  rowWise('coalesce', (w) => `(a, b.c, level)${w.pick(['', ' default "none"'])} as ${target(w)}`),
  rowWise('len', (w) => `(${w.pick(['content', 'a', 'status'])}) as ${target(w)}`),
  rowWise('split', (w) => `${JSON.stringify(w.pick([' ', '-', '', 'e']))} from content as ${target(w)}`),
  rowWise('unroll', (w) => `by (${w.pick(['a', 'a, b.c'])})`),
  rowWise('unpack_words', (w) => `from content as ${target(w)}${w.pick(['', ' drop_duplicates'])}`),
  rowWise('unpack_json', (w) => `from a${w.pick(['', ' fields (a, x*)'])} result_prefix "j."${keep(w)}`),
  rowWise('unpack_logfmt', (w) => `from content result_prefix "l."${keep(w)}`),
  rowWise('pack_json', (w) => `fields (level, workload) as ${target(w)}`),
  rowWise('pack_logfmt', (w) => `fields (level, status) as ${target(w)}`),
  rowWise('json_array_len', (w) => `(a) as ${target(w)}`),
  rowWise('json_array_concat', (w) => `"," from a as ${target(w)}`),
  rowWise('json_array_get', (w) => `${w.pick([0, 1, 5])} from a as ${target(w)}`),
  rowWise('hash', (w) => `(${w.pick(['content', 'level'])}) as ${target(w)}`),
  rowWise('time_add', (w) => w.pick(['1h', '-30m', '1ns'])),
  { name: 'decolorize', weight: 0.6, write: () => 'decolorize content' },
  { name: 'drop_empty_fields', weight: 0.6, write: () => 'drop_empty_fields' },
  { name: 'copy', weight: 0.6, write: (w) => `copy ${w.field()} as ${target(w)}` },
  {
    name: 'delete',
    weight: 0.6,
    write: (w) => {
      const gone = w.pick(w.fields)
      if (w.fields.length > 1) w.fields = w.fields.filter((name) => name !== gone)
      return `delete ${fieldText(gone)}`
    },
  },
  {
    name: 'top',
    weight: 0.6,
    write: (w) => {
      const keys = two(w)
      w.fields = ['hits']
      return `top ${w.pick([1, 3, 10])} by (${keys})${w.pick(['', ' rank as pos'])}`
    },
  },
  {
    name: 'first',
    weight: 0.6,
    write: (w) => `first ${w.pick([1, 2])} by (${two(w)})${w.pick(['', ' partition by (level)'])}`,
  },
  { name: 'last', weight: 0.6, write: (w) => `last ${w.pick([1, 2])} by (${two(w)})` },
  { name: 'sample', weight: 1.2, write: (w) => w.pick(['sample 2', 'sample 3 rows', 'sample 1']) },
  { name: 'limit-by', weight: 0.6, write: (w) => `limit ${w.pick([1, 2])} by (${two(w)})` },
  {
    name: 'join',
    weight: 0.6,
    write: (w) =>
      `join by (level) (${w.pick(['status:>=500', '*'])} | stats by (level) count() as n)${w.pick(['', ' inner', ' prefix "r."'])}`,
  },
  {
    name: 'union',
    weight: 0.6,
    write: (w) => w.pick(['union (level:error)', 'union rows({"a":"1","level":"warn"})', 'union (* | limit 2)']),
  },
  {
    name: 'running_stats',
    weight: 0.6,
    write: (w) =>
      `running_stats ${w.pick(['', 'by (level) '])}${w.pick(['count()', 'sum(status)', 'max(duration_ms)', 'first(a)'])} as ${target(w)}`,
  },
  {
    name: 'total_stats',
    weight: 0.6,
    write: (w) =>
      `total_stats ${w.pick(['', 'by (level) '])}${w.pick(['count()', 'sum(status)', 'min(duration_ms)', 'last(a)'])} as ${target(w)}`,
  },
  {
    name: 'window',
    weight: 0.6,
    write: (w) =>
      `window partition by (level) order by (_time) ${w.pick(['lag(status)', 'lead(a)', 'row_number()'])} as ${target(w)}`,
  },
  {
    name: 'field_names',
    weight: 0.6,
    write: (w) => {
      w.fields = ['name', 'hits']
      return 'field_names'
    },
  },
  {
    name: 'field_values',
    weight: 0.6,
    write: (w) => {
      const field = w.field()
      w.fields = ['hits']
      return `field_values ${field}`
    },
  },
  {
    name: 'facets',
    weight: 0.6,
    write: (w) => {
      w.fields = ['field_name', 'field_value', 'hits']
      return `facets ${w.pick([1, 3])}`
    },
  },
  {
    name: 'patterns',
    weight: 0.6,
    write: (w) => {
      w.fields = ['hits']
      return 'patterns 5 at content'
    },
  },
]
