import type { PlacingTable } from '../../shapes/index.ts'

/** What a scanner has to know of a table and of a query; plain data, so that it can be sent to a thread. */
export interface ScanOptions {
  /** What the table says of where members go. */
  readonly placing: PlacingTable
  /** Fields someone reads; all unless given. */
  readonly keptFields?: ReadonlySet<string> | undefined
  /** By field: folded ASCII words that a wanted row must contain. Lines whose field plainly lacks one are dropped. */
  readonly words?: ReadonlyMap<string, readonly string[]> | undefined
}
