import type { TableKnowledge, TableLayout } from '../../store/sqlite/index.ts'
import type { Scan } from '../../plan/index.ts'

/** A telemetry table that one scan reads. */
export interface Base {
  readonly scan: Scan
  readonly layout: TableLayout
  readonly known: TableKnowledge
  readonly alias: string
  readonly wordsAlias: string
}
