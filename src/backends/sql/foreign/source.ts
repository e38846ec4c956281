/** Where the rows of a table lie in the engine. */
export type ForeignSource =
  /** `[database,] [schema,] table`. */
  | { readonly kind: 'table'; readonly path: readonly string[] }
  /** Files that the engine reads by itself; paths may hold its wildcards. */
  | {
      readonly kind: 'files'
      readonly format: ForeignFormat
      readonly paths: readonly string[]
      /** What columns are read as, where a guess could lose digits; of JSON all columns. */
      readonly types?: Readonly<Record<string, string>>
      /** The time of all rows, in files that have none: nanoseconds since 1970, in a column `_time`. */
      readonly arrivalNs?: bigint
    }

/** The column that numbers the rows of a file whose rows have no time. */
export const ROW_NUMBER = 'file_row_number'
/** The column with the time of such rows. */
export const ARRIVAL = '_time'

export type ForeignFormat = 'parquet' | 'csv' | 'json' | 'arrow'
