import { HOUR_NS } from '../base/index.ts'
import { workloads } from './dataset.ts'
import { fieldText, valueText, type FilterGenerator, type Writer } from './writer.ts'

function phrases(w: Writer, min = 0): string {
  return w.list(min, 3, () => valueText(w.chance(0.8) ? w.word() : `${w.word()} ${w.word()}`)).join(', ')
}

const onField = (w: Writer): string => w.onField()

const onOneField = (w: Writer): string => `${w.untimedField()}:`

function call(name: string, args: (w: Writer) => string, prefix = onField): FilterGenerator {
  return { name, weight: 1, write: (w) => `${prefix(w)}${name}(${args(w)})` }
}

const bounds = ['a', 'd', 'e', 't', 'z', '5', '']

/** Zones whose clocks change, one of them by half an hour, and one zone whose clocks never change. */
export const zoneNames = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'] as const

function timeOfDay(w: Writer): string {
  return w.pick(['00:00', '01:30', '02:00', '02:30', '03:00', '03:04', '04:00', '12:00'])
}

function place(w: Writer): string {
  if (w.chance(0.4)) return ''
  if (w.chance(0.35)) return ` offset ${w.pick(['1h', '-30m', '2h'])}`
  w.use('filter-option/zone')
  return ` zone "${w.pick(zoneNames)}"`
}

/** Writes a Unix time in any unit, with some digits of the fraction. */
function unixText(w: Writer): string {
  const ns = String(w.baseNs)
  if (ns.length !== 19) return w.time(0n)
  const places = w.pick([9, 6, 3])
  const fraction = ns.slice(-places).slice(0, w.pick([0, 1, 3, 9]))
  return ns.slice(0, -places) + (fraction === '' ? '' : `.${fraction}`)
}

function timeText(w: Writer): string {
  if (w.chance(0.2)) return unixText(w)
  return w.time(w.pick([0n, 0n, 1n, -1n]) * HOUR_NS * BigInt(w.pick([1, 6, 24])), w.pick([10, 13, 16, 19, 30]))
}

function timeForm(w: Writer): string {
  switch (w.random.below(5)) {
    case 0:
      return `${w.pick(['5m', '1h', '90m', '2d', '1w'])}${w.pick(['', '', ' offset 1h', ' offset -1d'])}`
    case 1:
      return `${w.pick(['>', '>=', '<', '<=', '='])}${timeText(w)}`
    case 2:
      return timeText(w)
    case 3:
      return `${w.pick(['[', '('])}${w.time(-HOUR_NS * BigInt(w.pick([1, 24, 72])), w.pick([10, 13, 16, 30]))}, ${w.time(HOUR_NS * BigInt(w.pick([0, 1, 24])), w.pick([10, 13, 30]))}${w.pick([']', ')'])}`
    default:
      return w.pick(['offset 1h', 'offset -2d', 'offset 30m'])
  }
}

const streamLabels = ['workload', 'namespace', 'cluster'] as const

function streamMatcher(w: Writer): string {
  const label = w.pick(streamLabels)
  if (w.chance(0.3))
    return `${label} ${w.pick(['in', 'not_in'])} (${w.list(1, 3, () => JSON.stringify(w.pick(workloads))).join(', ')})`
  const value = label === 'namespace' ? w.pick(['shop', 'pay', '']) : w.pick(workloads)
  return `${label}${w.pick(['=', '!=', '=~', '!~'])}${JSON.stringify(value)}`
}

/** Structured condition operators that search in strings. */
export const textConditions = [
  'match',
  'not_match',
  'contains',
  'notcontains',
  'icontains',
  'inotcontains',
  'startswith',
  'istartswith',
  'endswith',
  'iendswith',
  'phrase_search',
] as const

/** Writes a structured condition operator with fitting values. */
function meeting(w: Writer, name: string): string {
  const kind = w.random.below(5)
  if (kind === 0) return w.pick(['exists', 'notexists'])
  if (kind === 1)
    return `${w.pick(['gt', 'gte', 'lt', 'lte'])}, ${w.pick(['200', '1.5', '"b"', JSON.stringify(w.time(0n))])}`
  if (kind === 2)
    return `${w.pick(['in', 'notin', 'eq', 'ne'])}, ${w.list(1, 3, () => valueText(w.value(name))).join(', ')}`
  if (kind === 3) return `${w.pick(['regex', 'notregex'])}, ${w.pick(['"^e"', '"a|e"', '"[0-9]+"'])}`
  const op = w.pick(textConditions)
  return `${op}, ${valueText(
    Array.from(w.word())
      .slice(0, 1 + w.random.below(5))
      .join(''),
  )}`
}

/** Patterns in which numbers follow all kinds of characters. */
export const numberPatterns = [
  '<N>',
  '<IP4>',
  'error <W>',
  '<N>.<N>',
  'user_<N>',
  'user<N>',
  'line<N>',
  'v<N>.',
  '0x<N>',
  '<N>ms',
  '<N>m',
  '<W>',
  '<UUID>',
  '<DATETIME>',
  '<TIME>',
  '<DATE>',
] as const

/** Generators of rare filter forms, each drawn about equally often. */
export const tailFilters: readonly FilterGenerator[] = [
  call('contains_all', (w) => (w.chance(0.1) ? '*' : phrases(w))),
  call('contains_any', (w) => phrases(w)),
  call('seq', (w) => phrases(w)),
  call('i', (w) => (w.chance(0.7) ? valueText(w.word()) : `${w.pick(['err', 'time', 'Ä'])}*`)),
  call('contains_common_case', (w) => phrases(w, 1)),
  call('equals_common_case', (w) => w.list(1, 2, () => valueText(w.value() || 'error')).join(', '), onOneField),
  call(
    'json_array_contains_any',
    (w) => w.list(1, 3, () => valueText(w.pick(['a', '1', 'error', 'x9', 'null']))).join(', '),
    (w) => `${w.like(w.pick(['a', 'a', 'b.c']))}:`,
  ),
  call('len_range', (w) => `${w.pick([0, 1, 3, 5])}, ${w.pick(['5', '10', 'inf', '0x10'])}`),
  call('string_range', (w) => `${valueText(w.pick(bounds))}, ${valueText(w.pick(bounds))}`, onOneField),
  call('ipv4_range', (w) => w.pick(['"10.0.0.0/8"', '1.0.0.0, 2.0.0.0', '10.0.0.1']), onOneField),
  call('ipv6_range', (w) => w.pick(['"2001:db8::/32"', '"::ffff:0:0/96"', '"::1", "2001:db8::5"']), onOneField),
  {
    name: 'pattern_match',
    weight: 1,
    write: (w) =>
      `${onField(w)}pattern_match${w.pick(['', '_full', '_prefix', '_suffix'])}(${JSON.stringify(w.pick(numberPatterns))})`,
  },
  {
    name: 'field-compare',
    weight: 1,
    write: (w) => `${w.untimedField()}:${w.pick(['eq_field', 'le_field', 'lt_field'])}(${w.untimedField()})`,
  },
  {
    name: 'any-field',
    weight: 1,
    write: (w) => {
      // Patterns for times and stream names, which a filter on any field must not match.
      if (w.chance(0.2) && w.has('logs'))
        return `${w.pick(['*', '_*'])}:${w.pick(['~"2026|T0"', '~workload', '>1700000000000000000', '*'])}`
      return `${w.chance(0.3) ? '*' : w.namePattern(['b*', 'd*'])}:${valueText(w.word())}`
    },
  },
  {
    name: 'field-group',
    weight: 1,
    write: (w) =>
      `${w.like(w.pick(['level', 'workload', 'a']))}:(${valueText(w.value() || 'info')}${w.pick([' or ', ' '])}${valueText(w.value() || 'info')})`,
  },
  {
    name: 'quoted-substring',
    weight: 1,
    write: (w) => `${w.like('content')}:*${JSON.stringify(w.pick(['out ', 'or t', ' re', '-', 'Är']))}*`,
  },
  call(
    'value_type',
    (w) => w.pick(['const', 'dict', 'string', 'uint8', 'uint16', 'uint64', 'int64', 'float64', 'ipv4', 'iso8601']),
    onOneField,
  ),
  {
    name: 'meets',
    weight: 1,
    write: (w) => {
      const name = w.name()
      return `meets(${fieldText(name)}, ${meeting(w, name)})`
    },
  },
  { name: 'time', needs: 'time', weight: 2, write: (w) => `_time:${timeForm(w)}` },
  {
    name: 'day_range',
    needs: 'time',
    weight: 1,
    write: (w) =>
      `_time:day_range${w.pick(['[', '('])}${timeOfDay(w)}, ${w.pick(['24:00', timeOfDay(w)])}${w.pick([']', ')'])}${place(w)}`,
  },
  {
    name: 'week_range',
    needs: 'time',
    weight: 1,
    write: (w) =>
      `_time:week_range${w.pick(['[', '('])}${w.pick(['Mon', 'Thu', 'Fri', 'Sunday'])}, ${w.pick(['Fri', 'Sat', 'Sun'])}${w.pick([']', ')'])}${place(w)}`,
  },
  {
    name: 'stream',
    needs: 'logs',
    weight: 1,
    write: (w) => {
      const groups = w.list(1, 2, () => w.list(1, 2, () => streamMatcher(w)).join(', '))
      return `${w.pick(['', '', '_stream:'])}{${groups.join(' or ')}}`
    },
  },
  {
    name: 'stream-id',
    needs: 'logs',
    weight: 0.6,
    write: (w) =>
      w.chance(0.3) || w.level > 0
        ? `_stream_id:${w.pick(['0000', 'in()', 'in("a", "b")', '*'])}`
        : `_stream_id:in(${w.subquery().text} | fields _stream_id)`,
  },
  {
    name: 'subquery',
    weight: 1.5,
    write: (w) => {
      if (w.level > 0) return `${w.untimedField()}:in("error")`
      const name = w.pick(['in', 'in', 'contains_any', 'contains_all'])
      w.use(`filter/${name}-query`)
      return `${w.chance(0.1) ? '*:' : w.has('logs') ? w.onField() : onOneField(w)}${name}(${w.oneFieldQuery()})`
    },
  },
]
