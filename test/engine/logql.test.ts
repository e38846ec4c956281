import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Budget, type Interval } from '../../src/base/index.ts'
import { rowsBackend } from '../../src/backends/rows/index.ts'
import {
  Instant,
  rowsOf,
  toText,
  type PlainRow,
  type RecordBatch,
  type Row,
  type StoredRow,
} from '../../src/data/index.ts'
import { createEngine, defaultEngineLimits, type Engine } from '../../src/engine/index.ts'
import { entriesPlan, logqlTableOf, runLogqlMetric } from '../../src/engine/logql/index.ts'
import { rowsOfSeries } from '../../src/engine/metrics/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { lowerMetric, parseLogqlOrThrow, type LogqlTable } from '../../src/lang/logql/index.ts'
import type { LogicalPlan } from '../../src/plan/index.ts'
import { createMemoryStore, logsTable, standardCatalog } from '../../src/store/index.ts'

const MS_NS = 1_000_000n
const START_MS = Date.UTC(2026, 2, 10)

interface Entry {
  /** Nanoseconds since the start. */
  readonly atNs: number
  readonly pod: string
  readonly line: string
  /** Value of the field `size`. Default: the text after `=` in the line. */
  readonly size?: string
}

const table: LogqlTable = logqlTableOf(logsTable, [])

function rowOf({ atNs, pod, line, size = line.split('=')[1] ?? '' }: Entry): StoredRow['row'] {
  return new Map<string, string | Instant>([
    ['_time', new Instant(BigInt(START_MS) * MS_NS + BigInt(atNs))],
    ['namespace', 'shop'],
    ['pod', pod],
    ['content', line],
    ['size', size],
  ])
}

/** Returns engines over the same entries: the columnar store and the row model. */
function enginesOver(entries: readonly Entry[]): readonly Engine[] {
  const rows = entries.map((entry, sequence): StoredRow => {
    const timeNs = BigInt(START_MS) * MS_NS + BigInt(entry.atNs)
    return { timeNs, sequence, row: rowOf(entry) }
  })
  const store = createMemoryStore(standardCatalog)
  store.table('logs').writer.appendRows(rows)
  const model = rowsBackend(new Map([['logs', rows]]), standardFunctions)
  return [createEngine({ tables: [...store.tables.values()] }), createEngine({ backends: [model] })]
}

function batchesOf(engine: Engine): (plan: LogicalPlan, range: Interval) => AsyncIterable<RecordBatch> {
  return (plan, range) => engine.queryPlan(plan, { range, dialect: 'logsql', lint: 'off' }).batches()
}

interface Times {
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
}

async function pointsOf(engine: Engine, text: string, times: Times): Promise<readonly string[]> {
  const query = parseLogqlOrThrow(text)
  if (query.kind === 'log-query') throw new Error('is no metric query')
  const budget = new Budget(defaultEngineLimits, () => performance.now())
  const logs = { read: batchesOf(engine) }
  const { answer } = await runLogqlMetric(lowerMetric(query, table), times, { logs, budget })
  return rowsOfSeries(answer)
    .map((row) => {
      const at = row.get('_time')
      const ms = at instanceof Instant ? Number(at.ns / MS_NS) - START_MS : NaN
      return `${ms} ${toText(row.get('pod') ?? null)} ${Number(row.get('value')).toPrecision(12)}`
    })
    .sort()
}

/** Computes the expected value for one pod in one window from the entries; `undefined` if there are none. */
type Fold = (values: readonly number[], rangeMs: number) => number

function expected(entries: readonly Entry[], { startMs, endMs, stepMs }: Times, rangeMs: number, fold: Fold): string[] {
  const points: string[] = []
  for (let endOfWindow = startMs; endOfWindow <= endMs; endOfWindow += stepMs) {
    const untilNs = (endOfWindow - START_MS) * 1e6
    const byPod = new Map<string, number[]>()
    for (const { atNs, pod, line } of entries.toSorted((a, b) => a.atNs - b.atNs))
      if (atNs > untilNs - rangeMs * 1e6 && atNs <= untilNs)
        byPod.set(pod, [...(byPod.get(pod) ?? []), Number(line.split('=')[1])])
    for (const [pod, values] of byPod)
      points.push(`${endOfWindow - START_MS} ${pod} ${fold(values, rangeMs).toPrecision(12)}`)
  }
  return points.sort()
}

const sum: Fold = (values) => values.reduce((total, value) => total + value, 0)
const mean: Fold = (values) => sum(values, 0) / values.length

const FUNCTIONS: readonly (readonly [query: string, fold: Fold])[] = [
  ['sum by (pod) (count_over_time({namespace="shop"}[R]))', (values) => values.length],
  ['sum by (pod) (rate({namespace="shop"}[R]))', (values, rangeMs) => values.length / (rangeMs / 1000)],
  ['sum by (pod) (count_over_time({namespace="shop"} | logfmt | n>=0 [R]))', (values) => values.length],
  [
    'sum by (pod) (bytes_over_time({namespace="shop"}[R]))',
    (values) =>
      sum(
        values.map((n) => `n=${n}`.length),
        0,
      ),
  ],
  ['sum by (pod) (sum_over_time({namespace="shop"} | logfmt | unwrap n [R]))', sum],
  ['avg_over_time({namespace="shop"} | logfmt | unwrap n [R]) by (pod)', mean],
  ['avg_over_time({namespace="shop"} | unwrap size | __error__="" [R]) by (pod)', mean],
  ['max_over_time({namespace="shop"} | logfmt | unwrap n [R]) by (pod)', (values) => Math.max(...values)],
  ['last_over_time({namespace="shop"} | logfmt | unwrap n [R]) by (pod)', (values) => values.at(-1) ?? NaN],
]

const entries = fc
  .uniqueArray(fc.integer({ min: -120_000_000_000, max: 240_000_000_000 }), { maxLength: 40 })
  .chain((times) =>
    fc.tuple(
      ...times.map((atNs) =>
        fc.record({
          // Half of the entries are at whole seconds, where windows begin and end.
          atNs: fc.boolean().map((isWhole) => (isWhole ? Math.round(atNs / 1e9) * 1e9 : atNs)),
          pod: fc.constantFrom('a', 'b'),
          line: fc.integer({ min: 0, max: 999 }).map((n) => `n=${n}`),
        }),
      ),
    ),
  )
  .filter((list) => new Set(list.map(({ atNs }) => atNs)).size === list.length)

describe('windows of logs', () => {
  test.each(FUNCTIONS)('%s aggregates the entries of each window', async (query, fold) => {
    await fc.assert(
      fc.asyncProperty(
        entries,
        fc.constantFrom(1, 2, 7, 30, 60, 90),
        fc.constantFrom(1, 5, 7, 30, 60, 100),
        async (list, rangeS, stepS) => {
          const times = { startMs: START_MS, endMs: START_MS + 120_000, stepMs: stepS * 1000 }
          const wanted = expected(list, times, rangeS * 1000, fold)
          for (const engine of enginesOver(list))
            expect(await pointsOf(engine, query.replace('[R]', `[${rangeS}s]`), times)).toEqual(wanted)
        },
      ),
      { numRuns: 25 },
    )
  })

  test.each(['', 'bytes', 'duration'])(
    'a stored label is unwrapped like one behind a stage: %s',
    async (conversion) => {
      const sizes = fc.constantFrom(
        '7',
        '1e3',
        '-0.5',
        'NaN',
        '+Inf',
        '0x10',
        '',
        ' 1',
        '5ms',
        '1m30s',
        '1.5KiB',
        'large',
      )
      const unwrap = conversion === '' ? 'unwrap size' : `unwrap ${conversion}(size)`
      const texts = ['', '| label_format other="x"'].map(
        (stage) => `avg_over_time({namespace="shop"} ${stage} | ${unwrap} | __error__="" | pod!="c" [30s]) by (pod)`,
      )
      const times = { startMs: START_MS, endMs: START_MS + 120_000, stepMs: 30_000 }
      await fc.assert(
        fc.asyncProperty(entries, fc.infiniteStream(sizes), async (list, drawn) => {
          const given = list.map((entry) => ({ ...entry, size: drawn.next().value as string }))
          for (const engine of enginesOver(given)) {
            const [stored, staged] = await Promise.all(texts.map((text) => pointsOf(engine, text, times)))
            expect(stored).toEqual(staged)
          }
        }),
        { numRuns: 50 },
      )
    },
  )

  test('without a condition on its error, a label that is no number is refused', async () => {
    const list = [{ atNs: 0, pod: 'a', line: 'n=1', size: 'large' }]
    const times = { startMs: START_MS, endMs: START_MS, stepMs: 0 }
    for (const engine of enginesOver(list)) {
      const text = 'avg_over_time({namespace="shop"} | unwrap size [30s]) by (pod)'
      await expect(pointsOf(engine, text, times)).rejects.toThrow(/SampleExtractionErr/)
    }
  })

  test('a window holds its end, and not its beginning', async () => {
    const list = [0, 60].map((seconds) => ({ atNs: seconds * 1e9, pod: 'a', line: 'n=1' }))
    const times = { startMs: START_MS + 60_000, endMs: START_MS + 60_000, stepMs: 0 }
    for (const engine of enginesOver(list))
      expect(await pointsOf(engine, 'sum by (pod) (count_over_time({namespace="shop"}[60s]))', times)).toEqual([
        '60000 a 1.00000000000',
      ])
  })
})

describe('entries', () => {
  const list: readonly Entry[] = [
    { atNs: 1e9, pod: 'a', line: 'first' },
    { atNs: 2e9, pod: 'b', line: '{"status":500,"pod":"in the line"}' },
    { atNs: 3e9, pod: 'a', line: 'status=404' },
  ]
  const range = { startNs: BigInt(START_MS) * MS_NS, endNs: BigInt(START_MS + 60_000) * MS_NS }

  async function entriesOf(engine: Engine, text: string, limit = 10): Promise<readonly Row[]> {
    const query = parseLogqlOrThrow(text)
    if (query.kind !== 'log-query') throw new Error('is no log query')
    const rows: Row[] = []
    for await (const batch of batchesOf(engine)(entriesPlan(query, table, 'backward', limit), range))
      rows.push(...rowsOf(batch))
    return rows
  }

  test.each([
    ['{namespace="shop"}', ['status=404', '{"status":500,"pod":"in the line"}', 'first']],
    ['{namespace="shop", pod="a"} |= "status"', ['status=404']],
    [
      '{namespace="shop"} | json | drop __error__, __error_details__ | logfmt | status>=500',
      ['{"status":500,"pod":"in the line"}'],
    ],
    ['{namespace="shop"} | json | pod_extracted="in the line"', ['{"status":500,"pod":"in the line"}']],
    ['{namespace="shop"} | logfmt | status="404" | line_format "{{.pod}}: {{.status}}"', ['a: 404']],
    ['{nowhere="x"}', []],
  ])('%s', async (text, lines) => {
    for (const engine of enginesOver(list))
      expect((await entriesOf(engine, text)).map((row) => row.get('__line__'))).toEqual(lines)
  })

  test('a label is of the stream, came with the line, or was parsed', async () => {
    const [engine] = enginesOver(list)
    const [row] = await entriesOf(engine as Engine, '{namespace="shop"} | json | status=500')
    expect(Object.fromEntries(row as unknown as Iterable<readonly [string, unknown]>) as PlainRow).toMatchObject({
      __stream__: '{"namespace":"shop","pod":"b"}',
      __metadata__: '{}',
      __parsed__: '{"pod_extracted":"in the line","status":"500"}',
    })
  })

  test('a metric query names the entry that a stage could not read', async () => {
    const [engine] = enginesOver(list)
    const times = { startMs: START_MS + 60_000, endMs: START_MS + 60_000, stepMs: 0 }
    await expect(pointsOf(engine as Engine, 'count_over_time({namespace="shop"} | json [1m])', times)).rejects.toThrow(
      "pipeline error: 'JSONParserErr' for series: '{__error__=\"JSONParserErr\"",
    )
  })
})
