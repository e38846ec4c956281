import type { TableKnowledge, TableLayout } from '../../store/sqlite/index.ts'
import type { Scan } from '../../plan/index.ts'

/**
 * Facts about a telemetry table in one scan: its layout, the properties of its stored values, and its aliases in the
 * statement.
 */
export interface Base {
  readonly scan: Scan
  readonly layout: TableLayout
  readonly known: TableKnowledge
  readonly alias: string
  readonly wordsAlias: string
}
