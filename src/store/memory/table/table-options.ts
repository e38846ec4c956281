import type { Interval } from '../../../base/index.ts'

/** Rows that a one-off query reads; others may be left out. */
export interface KeptRows {
  /** Folded words that a row must contain in each of these fields. */
  readonly words?: ReadonlyMap<string, readonly string[]> | undefined
  readonly range?: Interval | undefined
}

export interface MemoryTableOptions {
  /** Store only these fields. For one-off queries that know what they read. */
  readonly keptFields?: ReadonlySet<string> | undefined
  readonly keptRows?: KeptRows | undefined
  /** A field that gets the offsets of scanned lines as numbers. */
  readonly placeField?: string | undefined
  /** For one query: no word index, no rows by code, and codes only where values come again and again. */
  readonly isReadOnce?: boolean | undefined
  /** Whether fields may be kept as codes of a dictionary; `true` unless given. Without, values are kept plain. */
  readonly hasCodes?: boolean | undefined
  /** Names that get a column; 16,384 unless given. Later ones share `_other_fields`, but for reserved fields. */
  readonly mostFields?: number | undefined
}
