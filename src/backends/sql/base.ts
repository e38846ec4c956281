import type { TableKnowledge, TableLayout } from '../../store/sqlite/index.ts'
import type { Scan } from '../../plan/index.ts'

/**
 * The facts that are known of a telemetry table: its layout, the properties of its stored values, and its aliases in
 * the statement. One object per scan.
 */
export interface Base {
  readonly scan: Scan
  readonly layout: TableLayout
  readonly known: TableKnowledge
  readonly alias: string
  readonly wordsAlias: string
}
