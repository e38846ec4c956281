import type { PlacingTable } from '../../shapes/index.ts'

/** Facts about a table and a query that a scanner needs. */
export interface ScanOptions {
  /** The table that stores the records; it determines the field of each member. */
  readonly table: PlacingTable
  /** The fields to read; all by default. */
  readonly keptFields?: ReadonlySet<string> | undefined
  /**
   * For each field, folded ASCII words that a needed row must contain. A line is dropped if its field certainly lacks
   * one.
   */
  readonly words?: ReadonlyMap<string, readonly string[]> | undefined
}
