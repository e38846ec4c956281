/** Where the engine finds the rows of a table. */
export type ForeignSource =
  /** A table: `[database,] [schema,] table`. */
  | {
      readonly kind: 'table'
      readonly path: readonly string[]
      /** See files. */
      readonly arrivalNs?: bigint
    }
  /** Files that the engine reads itself; paths may contain its wildcards. */
  | {
      readonly kind: 'files'
      readonly format: ForeignFormat
      readonly paths: readonly string[]
      /** The types of columns for which a guess could lose digits; for JSON of all columns. */
      readonly types?: Readonly<Record<string, string>>
      /** The time of all rows when they have none, in nanoseconds since 1970, as the column `_time`. */
      readonly arrivalNs?: bigint
    }

/** The column with the row number in a file whose rows have no time. */
export const ROW_NUMBER = 'file_row_number'
/** The column with the time of such rows. */
export const ARRIVAL = '_time'

/** Adds the arrival time as a column when the rows have no time; `time` writes an instant in the dialect. */
export function withArrival(from: string, arrivalNs: bigint | undefined, time: (ns: bigint) => string): string {
  return arrivalNs === undefined ? from : `(SELECT *, ${time(arrivalNs)} AS ${ARRIVAL} FROM ${from})`
}

export type ForeignFormat = 'parquet' | 'csv' | 'json' | 'arrow'
