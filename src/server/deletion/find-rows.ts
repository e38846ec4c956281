import type { Interval } from '../../base/index.ts'
import { findRowsOf, type Engine, type FindRows } from '../../engine/index.ts'
import type { Table } from '../../plan/index.ts'
import { fault } from '../errors/http-fault.ts'
import { readFilter } from '../search/read-text.ts'

/** Selection of the rows that a deletion finds. */
export interface RowChoice {
  readonly table: string
  /** Filters in the native dialect; a series selector for samples. */
  readonly where: string
  readonly range: Interval
  /** Current time for relative times, ns. */
  readonly nowNs: bigint
}

/**
 * Returns a function that finds the selected rows. Throws SluiceError if the filters are invalid, contain pipes or
 * subqueries, or name another table.
 */
export function rowFinder(engine: Engine, tables: ReadonlyMap<string, Table>, choice: RowChoice): FindRows {
  const { table, where, range, nowNs } = choice
  const { textField } = engine.catalog.tables.get(table) ?? {}
  const plan = readFilter(where, 'where', { dialect: 'native', nowNs, table, textField })
  const find = findRowsOf(engine, plan, { table, tables, range, nowNs })
  if (find === undefined) throw fault('not-deletable', { member: 'where' })
  return find
}
