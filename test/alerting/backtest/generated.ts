import { decode, monitor as monitorSchema } from '../../../src/wire/index.ts'
import { monitorDefinition, type MonitorDefinition, type QueryTools } from '../../../src/alerting/monitors/index.ts'
import { Labels } from '../../../src/data/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { monitorQueryTools } from '../../../src/server/index.ts'
import { SampleStore, createMemoryStore } from '../../../src/store/index.ts'

export const START_MS = Date.UTC(2026, 0, 1)
export const MINUTE_MS = 60_000
const ROWS_MINUTES = 45

/** Returns a generator of pseudo-random numbers in [0, 1) that depend only on the seed. */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * Returns query tools over random rows and samples of 45 minutes, with a gap in the middle. Some times lie exactly on
 * window borders.
 */
export function generatedTools(seed: number): QueryTools {
  const random = randomOf(seed)
  const pick = <T>(...of: readonly T[]): T => of[Math.floor(random() * of.length)] as T
  const isGap = (minute: number): boolean => minute > 15 && minute < 25
  const store = createMemoryStore()
  const rows = Array.from({ length: 250 }, () => {
    const minute = random() * ROWS_MINUTES
    return {
      minute,
      _time: new Date(START_MS + Math.floor(pick(minute, Math.floor(minute)) * MINUTE_MS)),
      level: pick('error', 'info', 'warn'),
      workload: pick('a', 'b', 'c', undefined),
      size: Math.floor(random() * 100),
      content: pick('timeout of peer', 'done'),
    }
  })
  const kept = rows.filter(({ minute }) => !isGap(minute)).map(({ minute: _, ...row }) => row)
  store.table('logs').writer.appendObjects(kept)
  const samples = new SampleStore()
  for (const job of ['a', 'b']) {
    let value = 0
    for (let minute = 0; minute < ROWS_MINUTES; minute += 0.5) {
      value += Math.floor(random() * 10)
      if (!isGap(minute) && random() < 0.9)
        samples.writer.append(Labels.of({ __name__: 'errors_total', job }), {
          timeMs: START_MS + minute * MINUTE_MS,
          value,
        })
    }
  }
  return monitorQueryTools(createEngine({ tables: store.tables, lint: 'off' }), samples.reader)
}

const LOGS = [
  'level:error | stats by (workload) count() as n',
  'level:error | stats count() as n',
  'level:error',
  '* | stats by (workload) avg(size) as mean, max(size) as most',
  '* | stats by (workload, level) uniq_values(size) as sizes, count_uniq(size) as n | math n * 2 as twice',
  '* | stats by (workload) rate() as r',
  '* | stats rate() as r',
  '* | stats by (workload) count() as n | filter n:>3',
  '* | stats count() as n | filter n:<3',
  '* | stats by (workload) count() as n, first(size) as f | rename n as many | delete f',
  '* | stats by (workload) quantile(0.9, size) as q',
  '* | math size + 1 as more | stats by (workload) sum(more) as s',
  '* | rename _time as t | stats by (workload) count() as n',
  '_time:3m level:error | stats by (workload) count() as n',
  '* | sort by (size desc) | limit 5 | stats by (workload) count() as n',
  '* | stats by (workload, level) count() as n | stats by (workload) max(n) as most',
  '* | stats by (workload) count() as n | sort by (n desc) | limit 1',
  '* | stats by (_time:1m, workload) count() as n',
  '* | stats by (_time:1m) rate() as r',
  'size:in(level:error | fields size | limit 5) | stats by (workload) count() as n',
  'nothing:here | stats by (workload) count() as n',
  '_time:[2026-01-01T00:04:30Z, 2026-01-01T00:12:15Z] | stats rate() as r',
  '_time:>=2026-01-01T00:04:30Z | stats by (workload) rate_sum(size) as r',
  '_time:>=2026-01-01T00:04:30Z | stats by (workload) count() as n',
] as const

const METRICS = [
  'errors_total > 100',
  'rate(errors_total[5m])',
  'sum(rate(errors_total[5m]))',
  'sum by (job) (increase(errors_total[2m]))',
  'vector(1)',
  'time() % 7',
  'absent(errors_total)',
  'errors_total @ end()',
  'errors_total[2m]',
  'max_over_time(rate(errors_total[2m])[5m:])',
] as const

/** Returns one monitor for each query in `LOGS` and `METRICS`, with random windows, steps and intervals. */
export function generatedMonitors(seed: number): readonly MonitorDefinition[] {
  const random = randomOf(seed)
  const pick = <T>(...of: readonly T[]): T => of[Math.floor(random() * of.length)] as T
  const texts = [...LOGS.map((text) => ['logs', text]), ...METRICS.map((text) => ['metrics', text])] as const
  return texts.map(([dataType, expression], i) => {
    const queryType = pick('instant', 'range')
    const body = {
      title: expression,
      labels: pick<object>({}, { size: '{{ if gt $value 5.0 }}large{{ else }}small{{ end }}' }),
      annotations: { summary: '{{ $value }}' },
      evaluationInterval: { interval: pick('1m', '30s', '2m'), pendingFor: pick('0s', '2m') },
      noDataState: pick('OK', 'Alerting', 'NoData', 'KeepLast'),
      model: {
        queries: [
          {
            name: 'q',
            dataType,
            expression,
            queryType,
            relativeTimerange: { from: pick('-1m', '-5m', '-90s', '-10m', '-20s'), to: pick('now', 'now', '-1m') },
            ...pick<object>({}, { evaluationDelay: 10 }),
            ...pick<object>({}, { rollup: { time: pick('30s', '1m', '2m') } }),
          },
        ],
        reducers: [{ name: 'r', inputName: 'q', type: pick('last', 'mean', 'count') }],
        thresholds: [{ name: 't', inputName: 'r', operator: pick('gt', 'lt'), values: [pick(0.05, 2, 5)] }],
      },
    }
    return monitorDefinition(`monitor-${i}`, decode(monitorSchema, body))
  })
}
