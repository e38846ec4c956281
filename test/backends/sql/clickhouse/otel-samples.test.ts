// @module-tag slow
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Budget, present } from '../../../../src/base/index.ts'
import { openCatalog, type OpenCatalog } from '../../../../src/catalog/index.ts'
import { Labels } from '../../../../src/data/index.ts'
import { defaultEngineLimits, type Engine } from '../../../../src/engine/index.ts'
import { promqlJson, queryPromqlRange } from '../../../../src/engine/metrics/index.ts'
import { SampleStore, type SampleSource } from '../../../../src/store/index.ts'
import { CLICKHOUSE, hasClickHouse, startClickHouse, type ClickHouse } from '../../../clickhouse/index.ts'
import { otelRows } from '../../../clickhouse/otel/rows.ts'
import { otelTables } from '../../../clickhouse/otel/schema.ts'

const DATABASE = 'sluice_otel_samples'
const fileOf = (name: string): string =>
  readFileSync(new URL(`../../../../grammar/catalogs/${name}`, import.meta.url), 'utf8')

type Point = Readonly<Record<string, unknown>>
type Sample = readonly [suffix: string, value: number, labels: readonly (readonly [string, string])[]]

const numbers = (given: unknown): readonly number[] => (given as readonly unknown[]).map(Number)
const totals = (counts: readonly number[]): readonly number[] =>
  counts.map((_, i) => counts.slice(0, i + 1).reduce((sum, each) => sum + each, 0))

/** Reference implementation: returns the samples of a row. */
const samplesOf: Readonly<Record<string, (row: Point) => readonly Sample[]>> = {
  gauge: (row) => [['', row['Value'] as number, []]],
  sum: (row) => [['', row['Value'] as number, []]],
  histogram: (row) => {
    const bounds = [...numbers(row['ExplicitBounds']).map(String), '+Inf']
    return totals(numbers(row['BucketCounts'])).map((count, i) => ['_bucket', count, [['le', bounds[i] ?? '']]])
  },
  exponential_histogram: (row) => {
    const bound = (places: number): number => 2 ** (2 ** -Number(row['Scale']) * places)
    const [negative, positive] = [numbers(row['NegativeBucketCounts']), numbers(row['PositiveBucketCounts'])]
    const bounds = [
      ...negative.map((_, i) => -bound(Number(row['NegativeOffset']) + i)).toReversed(),
      0,
      ...positive.map((_, i) => bound(Number(row['PositiveOffset']) + i + 1)),
    ]
    const counts = totals([...negative.toReversed(), Number(row['ZeroCount']), ...positive])
    return [
      ...counts.map((count, i): Sample => ['_bucket', count, [['le', String(bounds[i])]]]),
      ['_bucket', Number(row['Count']), [['le', '+Inf']]],
    ]
  },
  summary: (row) =>
    numbers(row['ValueAtQuantiles.Value']).map((value, i) => [
      '',
      value,
      [['quantile', String(numbers(row['ValueAtQuantiles.Quantile'])[i])]],
    ]),
}

const START_MS = Date.parse('2026-03-01T12:00:00Z')

async function answer(source: SampleSource, text: string): Promise<unknown> {
  const times = { startMs: START_MS, endMs: START_MS + 120_000, stepMs: 30_000 }
  const budget = new Budget(defaultEngineLimits, () => performance.now())
  const result = await queryPromqlRange(text, times, { source, budget })
  return JSON.parse(Buffer.concat([...promqlJson(result)]).toString('utf8'))
}

describe.skipIf(!hasClickHouse)(`metrics of the OpenTelemetry exporter as samples on ${CLICKHOUSE}`, () => {
  const store = new SampleStore()
  const names = new Set<string>()
  let server: ClickHouse
  let catalog: OpenCatalog
  let engine: Engine

  beforeAll(async () => {
    server = await startClickHouse()
    await server.run(`DROP DATABASE IF EXISTS ${DATABASE}`)
    await server.run(`CREATE DATABASE ${DATABASE}`)
    for (const [kind, of] of Object.entries(samplesOf)) {
      const table = `otel_metrics_${kind}`
      await server.run(present(otelTables[table]).replaceAll('{db}', DATABASE))
      const rows = present(otelRows[table])
      await server.run(
        `INSERT INTO ${DATABASE}.${table} FORMAT JSONEachRow\n${rows.map((row) => JSON.stringify(row)).join('\n')}`,
      )
      for (const row of rows) {
        const isCounted = 'Count' in row
        const given: readonly Sample[] = [
          ...of(row),
          ...(isCounted
            ? ([
                ['_sum', row['Sum'] as number, []],
                ['_count', Number(row['Count']), []],
              ] as const)
            : []),
        ]
        for (const [suffix, value, labels] of given) {
          const name = `${String(row['MetricName'])}${suffix}`
          names.add(name)
          const own = Object.entries({ ...(row['ResourceAttributes'] as object), ...(row['Attributes'] as object) })
          const known = [['__name__', name], ['ServiceName', String(row['ServiceName'])], ...labels, ...own]
          const timeMs = Date.parse(`${String(row['TimeUnix']).slice(0, 23).replace(' ', 'T')}Z`)
          store.writer.append(Labels.from(known as [string, string][]), { timeMs, value: value + 0 })
        }
      }
    }
    const view = fileOf('opentelemetry-samples.sql')
      .replaceAll(/^--.*\n/gmu, '')
      .replaceAll(/\botel_/gu, `${DATABASE}.otel_`)
    await server.run(view)
    const text = fileOf('opentelemetry-samples.yaml')
      .replace(/url: .*/u, `url: ${server.url}`)
      .replace(/database: .*/u, `database: ${DATABASE}`)
    const env = { CLICKHOUSE_USER: server.username, CLICKHOUSE_PASSWORD: server.password }
    catalog = await openCatalog(text, { env })
    engine = catalog.engine()
  })
  afterAll(async () => {
    await catalog.close()
    await server.run(`DROP DATABASE ${DATABASE}`)
    await server.stop()
  })

  test('are those of the five tables', async () => {
    const source = present(catalog.samples(engine))
    expect(names.size).toBeGreaterThan(10)
    for (const name of names) {
      const given = await answer(source, `{"${name}"}`)
      expect(given, name).toEqual(await answer(store.reader, `{"${name}"}`))
      expect(JSON.stringify(given), name).toContain('"metric"')
    }
    for (const text of [
      'histogram_quantile(0.9, sum by (le, route) ({"http.duration_bucket"}))',
      'sum by (ServiceName) (rate({"http.requests"}[1m]))',
      'sum({"http.duration_bucket", le="+Inf"}) - sum({"http.duration_count"})',
    ])
      expect(await answer(source, text), text).toEqual(await answer(store.reader, text))
  })
})
