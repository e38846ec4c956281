import { SluiceError, nowhere } from '../../../base/index.ts'
import { createEngine, type Engine } from '../../../engine/index.ts'
import { SampleStore, createMemoryStore } from '../../../store/index.ts'
import { appendPoint } from '../promtool/test-samples.ts'
import { testDiagnostic } from './diagnostics.ts'
import type { MonitorTest } from './read-tests.ts'

/** Number of rows in one call of the writer. */
const BATCH_ROWS = 10_000

/** Rows and samples of a test in memory, with an engine over them. */
export interface TestData {
  readonly engine: Engine
  readonly samples: SampleStore
}

/** Stores all rows and samples of a test. Throws SluiceError for an unknown table and for rows that cannot be stored. */
export function testData({ rows, series, startMs }: MonitorTest): TestData {
  const store = createMemoryStore()
  for (const { table, row, timesMs } of rows) {
    const known = store.memoryTables.get(table)
    if (known === undefined) {
      const tables = [...store.memoryTables.keys()]
      throw new SluiceError([testDiagnostic('unknown-table', { table, tables }, nowhere)])
    }
    for (let i = 0; i < timesMs.length; i += BATCH_ROWS) {
      const batch = timesMs.slice(i, i + BATCH_ROWS).map((timeMs) => ({ ...row, _time: new Date(timeMs) }))
      known.writer.appendObjects(batch)
    }
  }
  const samples = new SampleStore()
  for (const { series: each, intervalMs } of series)
    for (const [i, point] of each.points.entries()) appendPoint(samples, each.labels, startMs + i * intervalMs, point)
  return { engine: createEngine({ tables: store.tables }), samples }
}
