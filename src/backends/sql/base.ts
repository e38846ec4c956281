import type { TableKnowledge, TableLayout } from '../../store/sqlite/index.ts'
import type { Scan } from '../../plan/index.ts'

/**
 * A telemetry table as one scan of a plan reads it: its layout, what is known of its values, and its aliases in the
 * statement.
 */
export interface Base {
  readonly scan: Scan
  readonly layout: TableLayout
  readonly known: TableKnowledge
  readonly alias: string
  readonly wordsAlias: string
}
