import type { Interval } from '../../../base/index.ts'

/** The rows that a single query reads. A table for this query need not store other rows. */
export interface KeptRows {
  /** For each field, folded words that a row must contain. */
  readonly words?: ReadonlyMap<string, readonly string[]> | undefined
  readonly range?: Interval | undefined
}

export interface MemoryTableOptions {
  /** The fields to store; all by default. Set for a table that serves a single query. */
  readonly keptFields?: ReadonlySet<string> | undefined
  readonly keptRows?: KeptRows | undefined
  /** The field that stores the file offset of each scanned line, as a number. */
  readonly positionField?: string | undefined
  /**
   * True if the table serves a single query. It then has no word index and no rows by code, and codes only for values
   * that repeat often.
   */
  readonly isReadOnce?: boolean | undefined
  /** True if values may be stored as dictionary codes; `true` by default. If false, values are stored plainly. */
  readonly hasCodes?: boolean | undefined
  /**
   * Maximum number of fields with a column; 16,384 by default. Later fields share `_other_fields`, except reserved
   * ones.
   */
  readonly mostFields?: number | undefined
}
