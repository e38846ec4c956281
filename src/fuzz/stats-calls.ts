import { writeFilter } from './filters.ts'
import { zoneNames } from './tail-filters.ts'
import { fieldText, valueText, type StatsGenerator, type Writer } from './writer.ts'

function maybe(w: Writer, share: number, text: () => string): string {
  return w.chance(share) ? text() : ''
}

function oneField(name: string): StatsGenerator {
  return { name, write: (w) => `${name}(${w.field()})` }
}

/**
 * Creates a generator for a function that accepts fields: mostly draws one field, sometimes several, a name pattern or
 * all.
 */
function someFields(name: string, extra: (w: Writer) => string = () => ''): StatsGenerator {
  return {
    name,
    write: (w) => {
      const dice = w.random.below(10)
      const args =
        dice === 0
          ? w.pick(['*', ''])
          : dice === 1
            ? w.namePattern(['d*', 's*', 'b.*'])
            : dice === 2
              ? `${w.field()}, ${w.field()}`
              : w.field()
      return `${name}(${args})${extra(w)}`
    },
  }
}

const limited = (w: Writer): string => maybe(w, 0.3, () => ` limit ${w.pick([1, 2, 3])}`)

export const statsGenerators: readonly StatsGenerator[] = [
  { name: 'count', write: (w) => (w.chance(0.6) ? 'count()' : someFields('count').write(w)) },
  { name: 'count_uniq', write: (w) => `count_uniq(${w.list(1, 2, () => w.field()).join(', ')})${limited(w)}` },
  { name: 'count_uniq_approx', write: (w) => `count_uniq_approx(${w.field()})` },
  someFields('sum'),
  someFields('avg'),
  someFields('min'),
  someFields('max'),
  someFields('median'),
  someFields('stddev'),
  someFields('count_empty'),
  someFields('sum_len'),
  oneField('any'),
  someFields('row_any'),
  oneField('histogram'),
  { name: 'field_max', write: (w) => `field_max(${w.field()}, ${w.field()})` },
  { name: 'field_min', write: (w) => `field_min(${w.field()}, ${w.field()})` },
  { name: 'row_max', write: (w) => `row_max(${w.field()}, ${w.field()})` },
  { name: 'row_min', write: (w) => `row_min(${w.field()})` },
  someFields('json_values', (w) => maybe(w, 0.3, () => ` sort by (${w.field()}${w.pick(['', ' desc'])})`) + limited(w)),
  { name: 'count_uniq_hash', write: (w) => `count_uniq_hash(${w.field()})${limited(w)}` },
  { name: 'rate', write: () => 'rate()' },
  someFields('rate_sum'),
  { name: 'quantile', write: (w) => `quantile(${w.pick([0, 0.5, 0.9, 0.99, 1])}, ${w.field()})` },
  { name: 'quantile_approx', write: (w) => `quantile_approx(${w.pick([0, 0.5, 0.99, 1])}, ${w.field()})` },
  { name: 'pattern', write: (w) => `pattern(${w.like(w.pick(['content', 'a']))})${limited(w)}` },
  someFields('values', limited),
  someFields('uniq_values', limited),
]

const RESULT_NAMES = ['n', 'x', 'total', 'level', 'the result'] as const

interface Key {
  readonly name: string
  readonly text: string
  /** True if rows are grouped by value buckets; empty buckets are left out. */
  readonly isBucketed?: boolean
}

/** Writes a `bucketize` pipe over a random key. */
export function writeBucketize(w: Writer): string {
  let bucket = key(w)
  while (bucket.isBucketed !== true) bucket = key(w)
  return `bucketize ${bucket.text}`
}

/** Writes time buckets in zones where days and hours vary in length. Gaps are filled if there are few buckets. */
function timeKey(w: Writer): Key {
  const width = w.pick(['1s', '1m', '30m', '1h', '1d', '7s', 'hour', 'day', 'week', 'month', 'year'])
  let text = `_time:${width}`
  if (w.chance(0.2)) text += ` offset ${w.pick(['1h', '-30m', '1d'])}`
  if (width !== 'year' && w.chance(0.4)) {
    w.use('stats/zone')
    text += ` zone "${w.pick(zoneNames)}"`
  }
  const isFilled = /1h|1d|day|week|month/.test(width) && w.chance(0.4)
  if (!isFilled) return { name: '_time', text, isBucketed: true }
  w.use('stats/fill')
  return { name: '_time', text: `${text} fill${w.pick(['', ' 0'])}` }
}

function bucketKey(name: string, width: string): Key {
  return { name, text: `${fieldText(name)}:${width}`, isBucketed: true }
}

function key(w: Writer): Key {
  const kind = w.random.below(8)
  if (kind <= 1 && w.has('time')) return timeKey(w)
  if (kind === 2) return bucketKey(w.nameLike('duration_ms'), w.pick(['10', '100', '2.5', '100 offset 7']))
  if (kind === 3 && w.chance(0.4)) return bucketKey(w.nameLike('a'), w.pick(['/24', '/8', '1KB', '1s']))
  const name = w.name()
  return { name, text: fieldText(name) }
}

function newName(w: Writer, taken: Set<string>): string {
  let name: string = w.pick(RESULT_NAMES)
  while (taken.has(name)) name += '_'
  taken.add(name)
  return name
}

function pickStats(w: Writer): StatsGenerator {
  return w.pick(w.own.stats.length > 0 && w.chance(0.35) ? w.own.stats : statsGenerators)
}

function result(w: Writer, taken: Set<string>): Key[] {
  const generator = pickStats(w)
  w.use(`stats/${generator.name}`)
  const call = generator.write(w)
  if (w.chance(0.06)) {
    w.use('stats/switch')
    const names = w.list(2, 3, () => newName(w, taken))
    const cases = names.map((name, i) =>
      i === names.length - 1 && w.chance(0.7)
        ? `default as ${fieldText(name)}`
        : `${w.pick(['case', 'if'])} (${writeFilter(w, 1)}) as ${fieldText(name)}`,
    )
    return names.map((name, i) => ({ name, text: i === 0 ? `${call} switch(${cases.join(', ')})` : '' }))
  }
  const name = newName(w, taken)
  let condition = ''
  if (w.chance(0.25)) {
    w.use('stats/if')
    w.use(`if/${generator.name}`)
    condition = ` if (${writeFilter(w, 1)})`
  }
  return [{ name, text: `${call}${condition} as ${fieldText(name)}` }]
}

export function writeStats(w: Writer): string {
  const keys = w
    .list(0, 2, () => key(w))
    .filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index)
  const taken = new Set(keys.map(({ name }) => name))
  const results = w.list(1, 3, () => result(w, taken)).flat()
  w.fields = [...taken]
  const by = keys.length === 0 ? '' : `${w.by(keys.map(({ text }) => text).join(', '))} `
  const texts = results.map(({ text }) => text).filter((text) => text !== '')
  return `stats ${by}${texts.join(', ')}`
}

const RUNNING = [
  'count()',
  'sum({status})',
  'min({duration_ms})',
  'max({duration_ms})',
  'first({a})',
  'last({a})',
] as const

/** Writes `running_stats` or `total_stats`. The latter accepts every stats function. */
export function writeRunning(w: Writer, pipe: 'running_stats' | 'total_stats'): string {
  const taken = new Set<string>()
  const results = w.list(1, 2, () => {
    let call: string
    if (pipe === 'total_stats' && w.chance(0.55)) {
      const generator = pickStats(w)
      call = generator.write(w)
      w.use(`stats/${generator.name}`)
    } else {
      call = w.filled(w.pick(RUNNING))
      if (/^(first|last)/.test(call)) call += w.pick(['', ' offset 1', ' offset 2'])
      else if (w.chance(0.4)) call = call.replace(/\(.*/, `(${w.field()})`)
      w.use(`running/${call.replace(/\(.*/s, '')}`)
    }
    const condition = w.chance(0.2) ? ` if (${writeFilter(w, 0)})` : ''
    if (condition !== '') w.use('running/if')
    return `${call}${condition} as ${fieldText(newName(w, taken))}`
  })
  const by = w.chance(0.5) ? `${w.by(w.pick([w.like('level'), w.field(), w.filled('{workload}, {level}')]))} ` : ''
  w.fields = [...new Set([...w.fields, ...taken])]
  return `${pipe} ${by}${results.join(', ')}`
}

/** Writes a `window` pipe that reads neighbouring rows and ranks. */
export function writeWindow(w: Writer): string {
  const taken = new Set<string>()
  const calls = w.list(1, 2, () => {
    const fn = w.pick(['lag', 'lead', 'row_number', 'rank', 'dense_rank'])
    w.use(`window/${fn}`)
    const hasField = fn === 'lag' || fn === 'lead'
    const args = hasField ? `${w.field()}${w.pick(['', ', 2', `, 1, ${valueText(w.value())}`, ', 0'])}` : ''
    return `${fn}(${args}) as ${fieldText(newName(w, taken))}`
  })
  const partition = w.chance(0.6) ? ` partition ${w.by(w.pick([w.like('level'), w.field()]))}` : ''
  const order = w.chance(0.6)
    ? ` order ${w.by(w.pick([w.has('time') ? '_time' : w.like('status'), w.field()]) + w.pick(['', ' desc']))}`
    : ''
  w.fields = [...new Set([...w.fields, ...taken])]
  return `window${partition}${order} ${calls.join(', ')}`
}
