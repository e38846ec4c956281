import type { JsonValue, Random } from '../../base/index.ts'
import { fieldNames } from '../dataset.ts'
import { writeFilter } from '../filters.ts'
import { generateQuery } from '../log-query.ts'
import { writeStats } from '../stats-calls.ts'
import { Writer } from '../writer.ts'
import { START_NS } from './rows.ts'

/** The JSON of a monitor. */
export type MonitorJson = { readonly [member: string]: JsonValue }

interface Drawn {
  readonly body: MonitorJson
  readonly uses: ReadonlySet<string>
}

const REDUCERS = [
  'last',
  'first',
  'mean',
  'avg',
  'sum',
  'min',
  'max',
  'count',
  'count_non_null',
  'median',
  'diff',
  'diff_abs',
  'percent_diff',
  'percent_diff_abs',
] as const

const MATH = [
  '$a + 1',
  '$a / $b * 100',
  '$a > 2 && $b < 100',
  'abs($a - $b)',
  '-$a ** 2 % 7',
  'is_null($a) || is_nan($b)',
  'log($a) + floor($b)',
  '${a} - 0x10',
  '!$a',
] as const

const VALUES = [0, 1, 2, 3, 0.5, -1, 10, 200, 404, 1e15, -0, 1.5] as const
const KEYS = ['level', 'workload', 'namespace', 'status', 'a', '`user id`'] as const

/** Draws a query text: any forms, or a simple query whose answers are often close to the thresholds. */
function expression(w: Writer): string {
  const dice = w.random.next()
  if (dice < 0.3) {
    const by = w.chance(0.7) ? `by (${w.list(1, 2, () => w.pick(KEYS)).join(', ')}) ` : ''
    const call = w.pick(['count()', 'sum(status)', 'avg(duration_ms)', 'max(status)', 'count_uniq(a)', 'rate()'])
    w.use('query/simple')
    return `${w.chance(0.5) ? '*' : writeFilter(w, 1)} | stats ${by}${call} as n`
  }
  if (dice < 0.45) {
    w.use('query/search')
    return writeFilter(w, 2)
  }
  const { options = '', filter, pipes, uses } = generateQuery(w.random, START_NS)
  for (const use of uses) w.use(use)
  const head = options === '' ? filter : `${options} ${filter}`
  if (dice < 0.65) return [head, ...pipes].join(' | ')
  w.use('query/stats')
  const stats = [writeStats(w), ...(w.chance(0.2) ? [writeStats(w)] : [])]
  return [head, ...pipes.slice(0, w.random.below(3)), ...stats].join(' | ')
}

function relativeRange(w: Writer): JsonValue {
  const from = w.pick(['-1m', '-2m', '-90s', '-5m', 'now-3m', '4m', '-20s'])
  return w.chance(0.7) ? { from } : { from, to: w.pick(['now', '0m', '-1s', 'now-10s']) }
}

function query(w: Writer, name: string): MonitorJson {
  const isRange = w.chance(0.35)
  if (isRange) w.use('monitor/range')
  return {
    name,
    ...(w.chance(0.9) ? { dataType: 'logs' } : {}),
    expression: expression(w),
    ...(isRange ? { queryType: 'range' } : {}),
    ...(w.chance(0.5) ? { relativeTimerange: relativeRange(w) } : {}),
    // The step `1ms` over the whole range makes too many points, so each evaluation fails.
    ...(w.chance(0.4) ? { rollup: { time: w.pick(['30s', '1m', '45s', '2m', '30s', '1m', '45s', '1ms']) } } : {}),
    ...(w.chance(0.15) ? { instantRollup: w.pick(['1m', '3m', '10s']) } : {}),
    ...(w.chance(0.15) ? { evaluationDelay: w.pick([1, 10, 60]) } : {}),
  }
}

/** Draws a reducer. `second` is the name of the last query. */
function reducer(w: Writer, name: string, second: string): MonitorJson {
  const type = w.pick(REDUCERS)
  w.use(`reducer/${type}`)
  return {
    name,
    type,
    inputName: w.pick(['a', 'a', second]),
    ...(w.chance(0.2) ? { relativeTimerange: relativeRange(w) } : {}),
    ...(w.chance(0.3)
      ? { settings: { mode: w.pick(['dropNN', 'replaceNN', 'strict']), replaceWithValue: w.pick([0, 5]) } }
      : {}),
  }
}

/** Draws a threshold. A resolve threshold lies on the valid side of the fire threshold. */
function threshold(w: Writer, index: number, inputName: string): MonitorJson {
  const operator = w.pick(['gt', 'gt', 'gte', 'lt', 'lte', 'eq', 'neq', '>', '!=', 'within_range', 'outside_range'])
  w.use(`threshold/${operator}`)
  const value = w.pick(VALUES)
  const values = operator.endsWith('range') ? [value, value + w.pick([0, 1, 100])] : [value]
  const resolve: { readonly [operator: string]: JsonValue } = {
    gt: { operator: 'lt', values: [value - w.pick([0, 1])] },
    gte: { operator: 'lt', values: [value - w.pick([0, 1])] },
    lt: { operator: 'gt', values: [value + w.pick([0, 1])] },
  }
  const custom = w.chance(0.4) ? resolve[operator] : undefined
  if (custom !== undefined) w.use('threshold/resolve')
  return {
    name: `t${index}`,
    inputName,
    operator,
    values,
    ...(custom === undefined ? {} : { customResolveThreshold: custom }),
    ...(w.chance(0.1) ? { relativeTimerange: relativeRange(w) } : {}),
  }
}

function interval(w: Writer): MonitorJson {
  return {
    interval: w.pick(['1m', '1m', '1m', '30s', '2m']),
    ...(w.chance(0.5) ? { pendingFor: w.pick(['0s', '30s', '1m', '90s', '3m']) } : {}),
    ...(w.chance(0.3) ? { keepFiringFor: w.pick(['30s', '1m', '150s', '5m']) } : {}),
  }
}

const ANNOTATIONS = [
  '{{ $value }} of {{ $labels.level }}',
  '{{ range $name, $each := $labels }}{{ $name }}={{ $each }} {{ end }}',
  '{{ with query "logs:* | stats by (level) count() as n" }}{{ . | first | value }}{{ end }}',
  '{{ $values.a.Value | humanize }} {{ $values.b }}',
] as const

/** Draws a monitor over logs, with everything that affects its states. */
export function drawMonitor(random: Random): Drawn {
  const w = new Writer(random, fieldNames, () => '*', START_NS)
  const queries = [query(w, 'a'), ...(w.chance(0.3) ? [query(w, 'b')] : [])]
  const second = queries.length > 1 ? 'b' : 'a'
  const names = ['r0', 'r1'].slice(0, w.random.below(3))
  const reducers = names.map((name) => reducer(w, name, second))
  if (w.chance(0.25)) {
    w.use('reducer/math')
    names.push('m')
    reducers.push({ name: 'm', type: 'math', expression: w.pick(MATH).replaceAll('$b', `$${second}`) })
  }
  const inputs = ['a', ...(second === 'b' ? ['b'] : []), ...names]
  const newest = inputs.at(-1) ?? 'a'
  const thresholds = w.list(0, 2, () => 0).map((_, i) => threshold(w, i, w.chance(0.7) ? newest : w.pick(inputs)))
  const states = {
    ...(w.chance(0.6) ? { noDataState: w.pick(['OK', 'NoData', 'Alerting', 'KeepLast']) } : {}),
    ...(w.chance(0.5) ? { executionErrorState: w.pick(['OK', 'Error', 'Alerting', 'KeepLast']) } : {}),
    ...(w.chance(0.2) ? { autoResolve: false } : {}),
  }
  const labels = {
    ...(w.chance(0.2) ? { severity: 'S1' } : {}),
    ...(w.chance(0.1) ? { labels: { size: '{{ if gt $value 5.0 }}large{{ else }}small{{ end }}', level: 'own' } } : {}),
    ...(w.chance(0.2) ? { annotations: { summary: w.pick(ANNOTATIONS) } } : {}),
  }
  return {
    body: {
      title: 'drawn',
      evaluationInterval: interval(w),
      ...states,
      ...labels,
      model: { queries, reducers, thresholds },
    },
    uses: w.uses,
  }
}
