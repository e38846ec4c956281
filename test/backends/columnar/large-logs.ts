import { expect } from 'vitest'
import { nowhere, present } from '../../../src/base/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { rowsBackend } from '../../../src/backends/rows/index.ts'
import type { MutableRow, StoredRow } from '../../../src/data/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { simulatedThreads } from '../../../src/fuzz/simulated-threads.ts'
import { column, printPlan, type AggregateCall, type LogicalPlan, type Scan } from '../../../src/plan/index.ts'
import { createMemoryStore, logsTable, standardCatalog } from '../../../src/store/index.ts'
import { storedRows } from '../../../bench/datasets.ts'
import { answer } from './answer.ts'

export interface LargeLogs {
  /** Returns a scan over the rows with the indexes `from` up to `to`, exclusive. */
  readonly scan: (from: number, to: number) => Scan
  /**
   * Fails unless the columnar backend answers a plan as the row model does, both on one thread and with helper threads.
   */
  readonly agree: (plan: LogicalPlan) => Promise<void>
}

/**
 * Creates log rows with missing values and fields of several types. Segments are sealed after the rows whose indexes
 * `sealedAfter` lists; later rows stay unsealed.
 */
export function largeLogs(
  size: { readonly rows: number; readonly seed: number; readonly sealedAfter: readonly number[] },
  change: (row: MutableRow, i: number) => void,
): LargeLogs {
  const rows = [...storedRows(size)].map((stored, i): StoredRow => {
    const row = new Map(stored.row)
    if (i % 11 === 0) row.delete('duration_ms')
    if (i % 13 === 0) row.delete('level')
    if (i % 17 === 0) row.set('level', '')
    if (i % 23 === 0) row.set('pod', i % 46)
    change(row, i)
    return { ...stored, row }
  })
  const store = createMemoryStore(standardCatalog)
  for (const [i, row] of rows.entries()) {
    store.table('logs').writer.appendRows([row])
    if (size.sealedAfter.includes(i)) store.table('logs').seal()
  }
  const columnar = columnarBackend(store, standardFunctions)
  const helped = columnarBackend(store, standardFunctions, { parallelism: simulatedThreads() })
  const model = rowsBackend(new Map([['logs', rows]]), standardFunctions)
  return {
    scan: (from, to) => ({
      kind: 'scan',
      table: 'logs',
      tableSchema: logsTable.schema,
      range: { startNs: present(rows[from]).timeNs, endNs: present(rows[to]).timeNs },
      predicate: undefined,
      guard: undefined,
      columns: undefined,
      origin: nowhere,
    }),
    agree: async (plan) => {
      const expected = await answer(model, plan, 1000)
      expect(await answer(columnar, plan, 997), printPlan(plan)).toEqual(expected)
      expect(await answer(helped, plan, 997), `helped: ${printPlan(plan)}`).toEqual(expected)
    },
  }
}

export function call(fn: string, args: readonly string[], extra: Partial<AggregateCall> = {}): AggregateCall {
  return {
    fn,
    args: args.map((arg) => column(arg)),
    params: [],
    limit: undefined,
    orderBy: [],
    filter: undefined,
    origin: nowhere,
    ...extra,
  }
}
