import { writeFilter } from './filters.ts'
import { tailPipes } from './tail-pipes.ts'
import { fieldText, type PipeGenerator, type Writer } from './writer.ts'

interface StatsGenerator {
  readonly name: string
  readonly write: (writer: Writer) => string
}

function oneField(name: string): StatsGenerator {
  return { name, write: (w) => `${name}(${w.field()})` }
}

export const statsGenerators: readonly StatsGenerator[] = [
  { name: 'count', write: (w) => (w.chance(0.6) ? 'count()' : `count(${w.field()})`) },
  { name: 'count_uniq', write: (w) => `count_uniq(${w.list(1, 2, () => w.field()).join(', ')})` },
  oneField('sum'),
  oneField('avg'),
  oneField('min'),
  oneField('max'),
  oneField('median'),
  oneField('stddev'),
  oneField('count_empty'),
  oneField('sum_len'),
  oneField('any'),
  oneField('row_any'),
  oneField('histogram'),
  { name: 'field_max', write: (w) => `field_max(${w.field()}, ${w.field()})` },
  { name: 'field_min', write: (w) => `field_min(${w.field()}, ${w.field()})` },
  { name: 'row_max', write: (w) => `row_max(${w.field()}, ${w.field()})` },
  { name: 'row_min', write: (w) => `row_min(${w.field()}, ${w.field()})` },
  { name: 'json_values', write: (w) => `json_values(${w.field()})${w.pick(['', ' limit 2'])}` },
  { name: 'count_uniq_hash', write: (w) => `count_uniq_hash(${w.field()})` },
  { name: 'rate', write: () => 'rate()' },
  oneField('rate_sum'),
  { name: 'quantile', write: (w) => `quantile(${w.pick([0, 0.5, 0.9, 0.99, 1])}, ${w.field()})` },
  oneField('values'),
  oneField('uniq_values'),
]

const RESULT_NAMES = ['n', 'x', 'total', 'level', 'the result'] as const

function writeStats(w: Writer): string {
  const keys = w
    .list(0, 2, () => {
      const kind = w.random.below(6)
      if (kind === 0) return { name: '_time', text: `_time:${w.pick(['1s', '1m', '1h', '1d', '7s'])}` }
      if (kind === 1) return { name: 'duration_ms', text: `duration_ms:${w.pick(['10', '100', '2.5'])}` }
      const name = w.pick(w.fields)
      return { name, text: fieldText(name) }
    })
    .filter((key, index, all) => all.findIndex((other) => other.name === key.name) === index)
  const taken = new Set(keys.map((key) => key.name))
  const calls = w.list(1, 3, () => {
    const generator = w.pick(statsGenerators)
    w.use(`stats/${generator.name}`)
    let name: string = w.pick(RESULT_NAMES)
    while (taken.has(name)) name += '_'
    taken.add(name)
    let condition = ''
    if (w.chance(0.25)) {
      w.use('stats/if')
      condition = ` if (${writeFilter(w, 1)})`
    }
    const text = `${generator.write(w)}${condition} as ${fieldText(name)}`
    return { name, text }
  })
  w.fields = [...keys.map((key) => key.name), ...calls.map((c) => c.name)]
  const by = keys.length === 0 ? '' : `by (${keys.map((key) => key.text).join(', ')}) `
  return `stats ${by}${calls.map((c) => c.text).join(', ')}`
}

export const pipeGenerators: readonly PipeGenerator[] = [
  { name: 'filter', weight: 3, write: (w) => `${w.pick(['filter', 'where'])} ${writeFilter(w, 1)}` },
  {
    name: 'sort',
    weight: 5,
    write: (w) => {
      const keys = w.list(1, 2, () => `${w.field()}${w.pick(['', ' asc', ' desc', ' DESC'])}`)
      return `sort by (${[...new Set(keys)].join(', ')})`
    },
  },
  {
    name: 'fields',
    weight: 3,
    write: (w) => {
      const names = [...new Set(w.list(1, 4, () => w.pick(w.fields)))]
      w.fields = names
      return `fields ${names.map(fieldText).join(', ')}`
    },
  },
  { name: 'limit', weight: 4, write: (w) => `limit ${w.pick([1, 2, 5, 10, 100, w.chance(0.1) ? 0 : 3])}` },
  { name: 'offset', weight: 2, write: (w) => `offset ${w.pick([0, 1, 1, 2])}` },
  { name: 'stats', weight: 4, write: writeStats },
  {
    name: 'rename',
    weight: 2,
    write: (w) => {
      const from = w.pick(w.fields)
      const to = w.pick(['a', 'renamed', 'level', 'new name'])
      w.fields = [...new Set([...w.fields.filter((f) => f !== from), to])]
      return `rename ${fieldText(from)} as ${fieldText(to)}`
    },
  },
  {
    name: 'uniq',
    weight: 2,
    write: (w) => {
      const names = [...new Set(w.list(1, 2, () => w.pick(w.fields)))]
      w.fields = names
      return `uniq by (${names.map(fieldText).join(', ')})`
    },
  },
]

/** All pipes: the everyday ones and the long tail. */
export const allPipes: readonly PipeGenerator[] = [...pipeGenerators, ...tailPipes]
