import type { PlacingTable } from '../../shapes/index.ts'

/** Facts about a table and a query that a scanner needs. */
export interface ScanOptions {
  /** Determines which fields receive the members. */
  readonly table: PlacingTable
  /** The fields to read; all by default. */
  readonly keptFields?: ReadonlySet<string> | undefined
  /** Folded ASCII words by field that a needed row must contain. Lines whose field clearly lacks one are dropped. */
  readonly words?: ReadonlyMap<string, readonly string[]> | undefined
}
