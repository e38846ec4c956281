import { describe, expect, test } from 'vitest'
import { Budget } from '../../src/base/index.ts'
import { TableSamples } from '../../src/catalog/index.ts'
import { Labels } from '../../src/data/index.ts'
import { createEngine, defaultEngineLimits } from '../../src/engine/index.ts'
import { promqlJson, queryPromql, queryPromqlRange } from '../../src/engine/metrics/index.ts'
import type { LabelMatcher, LabelPredicate } from '../../src/plan/series/index.ts'
import { SampleStore, defineTable, type SampleSource } from '../../src/store/index.ts'

const START_MS = 1_767_322_800_000
const jobs = ['api', 'web', '', 'batch.1']

/** Returns the same samples as rows of a table and in the store that metric queries usually read. */
function bothOf(): {
  readonly table: SampleSource
  readonly store: SampleStore
  readonly scans: () => readonly string[]
} {
  const rows: object[] = []
  const store = new SampleStore()
  for (let i = 0; i < 40; i++) {
    for (const [j, job] of jobs.entries()) {
      const timeMs = START_MS + i * 15_000
      const name = j % 2 === 0 ? 'requests_total' : 'errors_total'
      const value = i * (j + 1)
      rows.push({ at: new Date(timeMs), metric: name, value, job, code: 200 + (i % 2) })
      store.writer.append(
        Labels.from([
          ['__name__', name],
          ...(job === '' ? [] : [['job', job] as [string, string]]),
          ['code', String(200 + (i % 2))],
        ]),
        { timeMs, value },
      )
    }
  }
  const told: string[] = []
  const table = defineTable({
    name: 'samples',
    timeField: 'at',
    fields: ['at', 'metric', 'value', 'job', 'code'],
    domain: 'metrics',
    scan: (request) => {
      told.push(`${request.range.startNs}..${request.range.endNs}`)
      return rows
    },
  })
  const engine = createEngine({ tables: [table] })
  const source = new TableSamples(engine, [{ table: 'samples', nameField: 'metric', valueField: 'value' }])
  return { table: source, store, scans: () => told }
}

const budget = (): Budget => new Budget(defaultEngineLimits, () => performance.now())

async function answer(source: SampleSource, text: string, guard?: LabelPredicate): Promise<unknown> {
  const times = { startMs: START_MS + 60_000, endMs: START_MS + 500_000, stepMs: 30_000 }
  const range = await queryPromqlRange(text, times, { source, budget: budget(), guard })
  const instant = await queryPromql(text, START_MS + 300_000, { source, budget: budget(), guard })
  const text8 = (result: typeof range): unknown => JSON.parse(Buffer.concat([...promqlJson(result)]).toString('utf8'))
  return [text8(range), text8(instant)]
}

const matcher = (label: string, op: LabelMatcher['op'], value: string): LabelPredicate => ({
  kind: 'matcher',
  matcher: { label, op, value },
})

describe('metric queries over a table', () => {
  test.each([
    'requests_total',
    'rate(requests_total[1m])',
    'sum by (job) (rate(requests_total[2m]))',
    '{__name__=~"requests.*|errors_total", job="api"}',
    'errors_total{job!="web"}',
    'requests_total{job=""}',
    'requests_total{job!=""}',
    '{__name__!="", job=~".*"}',
    'errors_total{job=~"batch.1|none"}',
    '{job!~"a.*", code="200"}',
    '{__name__=~".+", value="3"}',
    'errors_total{code=~"2.1", none=""}',
    'max_over_time(requests_total{code="201"}[5m] offset 1m)',
    'count({__name__=~".+_total"}) by (__name__)',
  ])('%s is answered as from the store', async (text) => {
    const { table, store } = bothOf()
    expect(await answer(table, text)).toEqual(await answer(store.reader, text))
  })

  test.each<[string, LabelPredicate]>([
    ['a label', matcher('job', '=', 'api')],
    ['any of two', { kind: 'any', args: [matcher('job', '=', 'api'), matcher('code', '=~', '2.1')] }],
    ['none of two', { kind: 'none-of', args: [matcher('job', '=', 'api'), matcher('code', '=', '201')] }],
    ['all of two', { kind: 'all', args: [matcher('job', '!=', 'api'), matcher('__name__', '=', 'errors_total')] }],
  ])('a guard of %s holds', async (_, guard) => {
    const { table, store } = bothOf()
    expect(await answer(table, '{__name__!=""}', guard)).toEqual(await answer(store.reader, '{__name__!=""}', guard))
  })

  test('only the range that is needed is read', async () => {
    const { table, scans } = bothOf()
    await queryPromql('rate(requests_total[1m])', START_MS + 300_000, { source: table, budget: budget() })
    expect(scans()).toEqual([`${BigInt(START_MS + 240_001) * 1_000_000n}..${BigInt(START_MS + 300_001) * 1_000_000n}`])
  })

  test('label sets are those of the store', async () => {
    const { table, store } = bothOf()
    const filters: (readonly LabelMatcher[])[][] = [
      [],
      [[{ label: 'job', op: '=', value: 'api' }], [{ label: 'code', op: '=~', value: '.*1' }]],
    ]
    for (const filter of filters) {
      const request = { filters: filter, guard: undefined, startMs: START_MS, endMs: START_MS + 100_000 }
      const keys = async (source: SampleSource) => (await source.series(request)).map((labels) => labels.key)
      expect(await keys(table)).toEqual(await keys(store.reader))
    }
  })

  test('a query that is cancelled ends the one below', async () => {
    let isClosed = false
    const endless = defineTable({
      name: 'samples',
      timeField: 'at',
      scan: async function* () {
        try {
          for (;;) {
            await new Promise((resolve) => setImmediate(resolve))
            yield { at: new Date(START_MS), metric: 'm', value: 1 }
          }
        } finally {
          isClosed = true
        }
      },
    })
    const source = new TableSamples(createEngine({ tables: [endless] }), [
      { table: 'samples', nameField: 'metric', valueField: 'value' },
    ])
    const stop = new AbortController()
    const running = queryPromql('m', START_MS, {
      source,
      budget: new Budget(defaultEngineLimits, () => performance.now(), stop.signal),
    })
    setImmediate(() => stop.abort())
    await expect(running).rejects.toMatchObject({ code: 'budget/cancelled' })
    await expect.poll(() => isClosed).toBe(true)
  })
})
