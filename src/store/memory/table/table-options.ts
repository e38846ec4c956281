import type { Interval } from '../../../base/index.ts'

/** The rows that a one-off query reads; others may be left out. */
export interface KeptRows {
  /** Folded words by field that a row must contain. */
  readonly words?: ReadonlyMap<string, readonly string[]> | undefined
  readonly range?: Interval | undefined
}

export interface MemoryTableOptions {
  /** The fields to store, for one-off queries that know what they read; all by default. */
  readonly keptFields?: ReadonlySet<string> | undefined
  readonly keptRows?: KeptRows | undefined
  /** The field that stores the file offsets of scanned lines, as numbers. */
  readonly positionField?: string | undefined
  /**
   * True if the table serves a single query. Then there are no word index and no rows by code, and codes only for
   * values that repeat often.
   */
  readonly isReadOnce?: boolean | undefined
  /** True if fields may be stored as dictionary codes; `true` by default. Otherwise values are stored plainly. */
  readonly hasCodes?: boolean | undefined
  /** The most fields with a column; 16,384 by default. Later fields share `_other_fields`, except reserved fields. */
  readonly mostFields?: number | undefined
}
