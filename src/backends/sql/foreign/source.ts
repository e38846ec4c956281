/** Source of a table's rows in the database: a table of its own, or files. */
export type ForeignSource =
  /** A table, addressed as `[database,] [schema,] table`. */
  | {
      readonly kind: 'table'
      readonly path: readonly string[]
      /** The time of all rows, when a table has no time column: nanoseconds since 1970, as the column `_time`. */
      readonly arrivalNs?: bigint
    }
  /** Files that the database reads itself. Paths may contain its wildcards. */
  | {
      readonly kind: 'files'
      readonly format: ForeignFormat
      readonly paths: readonly string[]
      /**
       * Types for columns where the file reader's guess could lose digits. For JSON files all columns have an entry.
       */
      readonly types?: Readonly<Record<string, string>>
      /** The time of all rows, when the files have no time column: nanoseconds since 1970, as the column `_time`. */
      readonly arrivalNs?: bigint
    }

/** The name of a column with the row number in its file. It orders rows of files that have no times. */
export const ROW_NUMBER = 'file_row_number'
/** The name of the column with the arrival time, for rows that have no time of their own. */
export const ARRIVAL = '_time'

/** Writes FROM SQL that adds the arrival time as a column, when there is one. `time` writes a time in the dialect. */
export function withArrival(from: string, arrivalNs: bigint | undefined, time: (ns: bigint) => string): string {
  return arrivalNs === undefined ? from : `(SELECT *, ${time(arrivalNs)} AS ${ARRIVAL} FROM ${from})`
}

export type ForeignFormat = 'parquet' | 'csv' | 'json' | 'arrow'
