// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsBackend } from '../../../../src/backends/rows/index.ts'
import { present } from '../../../../src/base/index.ts'
import { Instant, type StoredRow } from '../../../../src/data/index.ts'
import { createEngine, type Engine } from '../../../../src/engine/index.ts'
import { startNs } from '../random-data.ts'
import { functions, Random } from '../support.ts'
import { foreignEngines, type LoadedEngine } from './engines.ts'
import { layoutRows, layouts, TIME } from './layouts.ts'

const HOUR_NS = 3_600_000_000_000n

const layout = present(layouts[0])

/** Returns rows slightly more than an hour apart, so that each hour of each weekday occurs. */
function rowsFrom(firstNs: bigint): readonly StoredRow[] {
  return layoutRows(layout, new Random(3), 500).map((row, i) => {
    const timeNs = firstNs + BigInt(i) * (HOUR_NS + 1_000_000n)
    return { ...row, timeNs, row: new Map([...row.row, [TIME, new Instant(timeNs)] as const]) }
  })
}

const tests = [
  'day_range[08:00, 18:00]',
  'day_range[08:00, 18:00)',
  'day_range(22:00, 03:00)',
  'day_range[00:00, 24:00]',
  'day_range[20:30, 23:15] offset 2h30m',
  'day_range[20:30, 02:15] offset -5h',
  'week_range[Mon, Fri]',
  'week_range(Fri, Mon)',
  'week_range[Sat, Sun]',
  'week_range[Sun, Sun] offset 3h',
  'week_range[Sun, Sat] offset -26h',
]

describe.each(foreignEngines)('times of the day and days of the week in $name', (engine) => {
  let loaded: LoadedEngine
  let asked: Engine
  let model: Engine
  // Use times before the epoch where the loader supports them.
  const rows = rowsFrom(engine.name === 'clickhouse' ? startNs : -200n * HOUR_NS)
  beforeAll(async () => {
    loaded = await engine.load(layout, rows)
    const { catalog } = loaded.backend
    asked = createEngine({ backends: [loaded.backend], catalog, lint: 'off' })
    model = createEngine({ backends: [rowsBackend(new Map([['logs', rows]]), functions)], catalog, lint: 'off' })
  })
  afterAll(() => loaded.close())

  test.each(tests.flatMap((each) => [`_time:${each}`, `!_time:${each}`]))('%s', async (filter) => {
    const query = `${filter} | fields seq`
    expect(loaded.backend.accept(asked.plan(query).optimized)).toEqual({ kind: 'whole' })
    expect(await asked.query(query).toArray()).toEqual(await model.query(query).toArray())
  })
})
