import { levels, words, workloads } from './dataset.ts'
import { valueText, type FilterGenerator, type Writer } from './writer.ts'

function phrases(w: Writer, min = 0): string {
  return w.list(min, 3, () => valueText(w.chance(0.8) ? w.pick(words) : `${w.pick(words)} ${w.pick(words)}`)).join(', ')
}

function onField(w: Writer): string {
  return w.chance(0.5) ? '' : `${w.untimedField()}:`
}

function call(name: string, args: (w: Writer) => string, prefix = onField): FilterGenerator {
  return { name, weight: 1, write: (w) => `${prefix(w)}${w.pick([name])}(${args(w)})` }
}

const bounds = ['a', 'd', 'e', 't', 'z', '5', '']

/** The long tail: each form about as often as the others. */
export const tailFilters: readonly FilterGenerator[] = [
  call('contains_all', (w) => phrases(w)),
  call('contains_any', (w) => phrases(w)),
  call('seq', (w) => phrases(w)),
  call('i', (w) => (w.chance(0.7) ? valueText(w.pick(words)) : `${w.pick(['err', 'time', 'Ä'])}*`)),
  call('contains_common_case', (w) => phrases(w, 1)),
  call(
    'equals_common_case',
    (w) => w.list(1, 2, () => valueText(w.pick(levels) || 'error')).join(', '),
    (w) => `${w.untimedField()}:`,
  ),
  call(
    'json_array_contains_any',
    (w) => w.list(1, 3, () => valueText(w.pick(['a', '1', 'error', 'x9', 'null']))).join(', '),
    () => 'a:',
  ),
  call('len_range', (w) => `${w.pick([0, 1, 3, 5])}, ${w.pick(['5', '10', 'inf', '0x10'])}`),
  call(
    'string_range',
    (w) => `${valueText(w.pick(bounds))}, ${valueText(w.pick(bounds))}`,
    (w) => `${w.untimedField()}:`,
  ),
  call(
    'ipv4_range',
    (w) => w.pick(['"10.0.0.0/8"', '1.0.0.0, 2.0.0.0', '10.0.0.1']),
    (w) => `${w.untimedField()}:`,
  ),
  call(
    'ipv6_range',
    (w) => w.pick(['"2001:db8::/32"', '"::ffff:0:0/96"']),
    (w) => `${w.untimedField()}:`,
  ),
  {
    name: 'pattern_match',
    weight: 1,
    write: (w) =>
      `${onField(w)}pattern_match${w.pick(['', '_full', '_prefix', '_suffix'])}(${JSON.stringify(w.pick(['<N>', '<IP4>', 'error <W>', '<N>.<N>', 'user_<N>', '<W>']))})`,
  },
  {
    name: 'field-compare',
    weight: 1,
    write: (w) => `${w.untimedField()}:${w.pick(['eq_field', 'le_field', 'lt_field'])}(${w.untimedField()})`,
  },
  {
    name: 'any-field',
    weight: 1,
    write: (w) => `${w.pick(['*', 'b*', 'd*'])}:${valueText(w.pick([...words.slice(0, 8), ...workloads]))}`,
  },
  {
    name: 'field-group',
    weight: 1,
    write: (w) =>
      `${w.pick(['level', 'workload', 'a'])}:(${valueText(w.pick(workloads))}${w.pick([' or ', ' '])}${valueText(w.pick(levels) || 'info')})`,
  },
  {
    name: 'quoted-substring',
    weight: 1,
    write: (w) => `content:*${JSON.stringify(w.pick(['out ', 'or t', ' re', '-', 'Är']))}*`,
  },
  {
    name: 'day_range',
    weight: 1,
    write: (w) =>
      `_time:day_range${w.pick(['[', '('])}${w.pick(['03:00', '00:00', '03:04'])}, ${w.pick(['04:00', '24:00', '03:05'])}${w.pick([']', ')'])}${w.pick(['', ' offset 1h', ' zone "America/New_York"'])}`,
  },
  {
    name: 'week_range',
    weight: 1,
    write: (w) =>
      `_time:week_range${w.pick(['[', '('])}${w.pick(['Mon', 'Thu', 'Fri'])}, ${w.pick(['Fri', 'Sat', 'Sun'])}${w.pick([']', ')'])}`,
  },
  {
    name: 'stream',
    weight: 1,
    write: (w) => `{${w.pick(['workload', 'namespace'])}${w.pick(['=', '!='])}${JSON.stringify(w.pick(workloads))}}`,
  },
  {
    name: 'subquery',
    weight: 1,
    write: (w) =>
      w.pick([
        'workload:in(level:error | fields workload)',
        'level:in(status:>=500 | uniq by (level))',
        'a:in(* | fields a | limit 3)',
      ]),
  },
]
