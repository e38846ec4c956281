/** Where the database finds a table's rows: in one of its tables, or in files. */
export type ForeignSource =
  /** A table, addressed as `[database,] [schema,] table`. */
  | {
      readonly kind: 'table'
      readonly path: readonly string[]
      /**
       * For a table without a time column: the time of all rows, nanoseconds since 1970, read as the column `_time`.
       */
      readonly arrivalNs?: bigint
    }
  /** Files that the database itself reads. Paths may contain the database's wildcards. */
  | {
      readonly kind: 'files'
      readonly format: ForeignFormat
      readonly paths: readonly string[]
      /** Types of columns for which the file reader's guess could lose digits. For JSON files, types of all columns. */
      readonly types?: Readonly<Record<string, string>>
      /** For files without a time column: the time of all rows, nanoseconds since 1970, read as the column `_time`. */
      readonly arrivalNs?: bigint
    }

/** Name of the column with the row number in its file, which orders rows of files without times. */
export const ROW_NUMBER = 'file_row_number'
/** Name of the column with the arrival time, for rows without a time of their own. */
export const ARRIVAL = '_time'

/**
 * Writes SQL for FROM, with the arrival time as an additional column if there is one. `time` writes a time in the
 * dialect.
 */
export function withArrival(from: string, arrivalNs: bigint | undefined, time: (ns: bigint) => string): string {
  return arrivalNs === undefined ? from : `(SELECT *, ${time(arrivalNs)} AS ${ARRIVAL} FROM ${from})`
}

export type ForeignFormat = 'parquet' | 'csv' | 'json' | 'arrow'
