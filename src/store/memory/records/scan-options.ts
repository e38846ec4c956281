import type { PlacingTable } from '../../shapes/index.ts'

/** What a scanner has to know of a table and of a query. */
export interface ScanOptions {
  /** Says where members go. */
  readonly table: PlacingTable
  /** Fields that are read; all unless given. */
  readonly keptFields?: ReadonlySet<string> | undefined
  /** By field: folded ASCII words that a wanted row must contain. Lines whose field plainly lacks one are dropped. */
  readonly words?: ReadonlyMap<string, readonly string[]> | undefined
}
