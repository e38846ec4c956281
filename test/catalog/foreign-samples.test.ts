// @module-tag slow
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Budget, SluiceError, present } from '../../src/base/index.ts'
import { openCatalog, type OpenCatalog } from '../../src/catalog/index.ts'
import { Labels } from '../../src/data/index.ts'
import { defaultEngineLimits, printExplainTree, type Engine } from '../../src/engine/index.ts'
import { explainPromqlAt, promqlJson, queryPromqlRange } from '../../src/engine/metrics/index.ts'
import { SampleStore, type SampleSource } from '../../src/store/index.ts'

const START_MS = 1_767_322_800_000
const folder = mkdtempSync(join(tmpdir(), 'sluice-samples-'))
const store = new SampleStore()
let catalog: OpenCatalog
let engine: Engine

/** A table of labels and a table of samples, joined by a view, as in Prometheus-like schemas. */
beforeAll(async () => {
  const instance = await DuckDBInstance.create(join(folder, 'metrics.duckdb'), { threads: '1' })
  const connection = await instance.connect()
  await connection.run('CREATE TABLE series (id INTEGER, name VARCHAR, job VARCHAR, code INTEGER)')
  await connection.run('CREATE TABLE points (series INTEGER, t TIMESTAMP_MS, value DOUBLE)')
  const names = ['requests_total', 'errors_total', 'temperature']
  for (let id = 0; id < 12; id++) {
    const name = names[id % 3] ?? ''
    const job = ['api', 'web', '', 'a.b'][id % 4] ?? ''
    const code = 200 + id
    await connection.run(`INSERT INTO series VALUES (${id}, '${name}', '${job}', ${code})`)
    const labels = Labels.from([
      ['__name__', name],
      ...(job === '' ? [] : [['job', job] as [string, string]]),
      ['code', String(code)],
    ])
    const points = Array.from({ length: 40 }, (_, i) => {
      const value = name === 'temperature' ? ((i * 7919 + id) % 101) / 8 : i * (id + 1)
      store.writer.append(labels, { timeMs: START_MS + i * 15_000, value })
      return `(${id}, make_timestamp_ms(${START_MS + i * 15_000}), ${value})`
    })
    await connection.run(`INSERT INTO points VALUES ${points.join(', ')}`)
  }
  await connection.run(
    'CREATE VIEW samples AS SELECT p.t, s.name, s.job, s.code, p.value FROM points AS p JOIN series AS s ON s.id = p.series',
  )
  connection.closeSync()
  instance.closeSync()
  catalog = await openCatalog(
    JSON.stringify({
      connections: { m: { engine: 'duckdb', path: 'metrics.duckdb' } },
      tables: { samples: { time: 't', domain: 'metrics', series: { name: 'name' } } },
    }),
    { folder },
  )
  engine = catalog.engine()
})
afterAll(async () => {
  await catalog.close()
  rmSync(folder, { recursive: true, force: true })
})

async function answer(source: SampleSource, text: string): Promise<unknown> {
  const times = { startMs: START_MS + 60_000, endMs: START_MS + 500_000, stepMs: 50_000 }
  const budget = new Budget(defaultEngineLimits, () => performance.now())
  try {
    const result = await queryPromqlRange(text, times, { source, budget })
    return JSON.parse(Buffer.concat([...promqlJson(result)]).toString('utf8'))
  } catch (error) {
    if (error instanceof SluiceError) return error.code
    throw error
  }
}

const pick = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)
const matcher = fc
  .tuple(pick('job', 'code', 'none'), pick('=', '!=', '=~', '!~'), pick('api', 'web', '', '2.*', '205', 'a.b', '.+'))
  .map(([label, op, value]) => `${label}${op}"${value}"`)
const selector = fc
  .tuple(
    pick('requests_total', 'errors_total', 'temperature', '{__name__=~".+_total"'),
    fc.array(matcher, { maxLength: 2 }),
  )
  .map(([name, matchers]) =>
    name.startsWith('{') ? `${[name, ...matchers].join(', ')}}` : `${name}{${matchers.join(', ')}}`,
  )
const ranged = fc
  .tuple(
    pick('rate', 'increase', 'delta', 'max_over_time', 'count_over_time', 'last_over_time'),
    selector,
    pick('1m', '5m'),
  )
  .map(([fn, text, width]) => `${fn}(${text}[${width}])`)
const vector = fc.oneof(selector, ranged)
const expression = fc.oneof(
  vector,
  fc
    .tuple(pick('sum', 'avg', 'max', 'count', 'topk'), pick('by (job)', 'without (code)', ''), vector)
    .map(([fn, by, text]) => `${fn} ${by} (${fn === 'topk' ? '2, ' : ''}${text})`),
  fc.tuple(vector, pick('+', '>', 'and', 'unless'), vector).map((parts) => parts.join(' ')),
)

describe('samples in DuckDB, labels and values in two tables', () => {
  test('answers are those of the store', async () => {
    const source = present(catalog.samples(engine))
    await fc.assert(
      fc.asyncProperty(expression, async (text) => {
        expect(await answer(source, text)).toEqual(await answer(store.reader, text))
      }),
      { numRuns: 150 },
    )
  })

  test('matchers and times are conditions of the statement', () => {
    const { sql } = engine.toSQL('name:=errors_total code:="205" _time:[2026-01-02T03:00:00Z, 2026-01-02T03:05:00Z)')
    expect(sql).toMatch(/WHERE [^]*t >= [^]*name = [^]*code = /)
  })

  describe('explain', () => {
    const times = { startMs: START_MS + 60_000, endMs: START_MS + 500_000, stepMs: 50_000 }
    const explain = async (text: string): Promise<string> => {
      const budget = new Budget(defaultEngineLimits, () => performance.now())
      const source = present(catalog.samples(engine))
      return printExplainTree((await explainPromqlAt(text, times, { source, budget })).tree)
    }

    test('says which selector became which statement, for which times', async () => {
      const told = await explain('sum by (job) (rate(errors_total{code=~"2.*"}[1m])) / temperature')
      expect(told).toMatch(
        /select samples\{__name__="errors_total", code=~"2\.\*"\}[^]*name = \$[^]*regexp_matches[^]*\n {2}select/,
      )
      expect(told).toContain('samples from 2026-01-02T03:00:00.001Z to before 2026-01-02T03:07:40.001Z')
      expect(told.match(/FROM samples/g)).toHaveLength(2)
      expect(told).toContain('all matchers are tested again on their labels')
    })

    test('says what is no condition of the statement, and reads nothing', async () => {
      const told = await explain('temperature{value="3"} and errors_total')
      expect(told).toContain('value="3" is no condition on rows of `samples`')
      expect(told.match(/FROM samples/g)).toHaveLength(2)
    })

    test('shows nothing of a data scope', async () => {
      const source = present(catalog.samples(engine))
      const guard = { kind: 'matcher', matcher: { label: 'job', op: '=', value: 'secret' } } as const
      const { notes, inputs } = present(source.explain?.({ matchers: [], guard, startMs: 0, endMs: 1 }))
      expect(inputs).toEqual([])
      expect(notes.join()).not.toContain('secret')
    })
  })

  test('sets of labels are distinguished in the database', async () => {
    const counting = catalog.engine({ limits: { bridgeRows: 12 } })
    const source = present(catalog.samples(counting))
    const request = { filters: [], guard: undefined, startMs: START_MS, endMs: START_MS + 600_000 }
    const keys = async (from: SampleSource) => (await from.series(request)).map((labels) => labels.key)
    expect(await keys(source)).toEqual(await keys(store.reader))
  })
})
