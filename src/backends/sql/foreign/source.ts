/** Where the rows of a table lie in the engine. */
export type ForeignSource =
  /** `[database,] [schema,] table`. */
  | {
      readonly kind: 'table'
      readonly path: readonly string[]
      /** As of files. */
      readonly arrivalNs?: bigint
    }
  /** Files that the engine reads by itself; paths may hold its wildcards. */
  | {
      readonly kind: 'files'
      readonly format: ForeignFormat
      readonly paths: readonly string[]
      /** What columns are read as, where a guess could lose digits; of JSON all columns. */
      readonly types?: Readonly<Record<string, string>>
      /** The time of all rows, where they have none: nanoseconds since 1970, in a column `_time`. */
      readonly arrivalNs?: bigint
    }

/** The column that numbers the rows of a file whose rows have no time. */
export const ROW_NUMBER = 'file_row_number'
/** The column with the time of such rows. */
export const ARRIVAL = '_time'

/** The source with the time of its rows as another column, if they have none; `time` spells an instant in the dialect. */
export function withArrival(from: string, arrivalNs: bigint | undefined, time: (ns: bigint) => string): string {
  return arrivalNs === undefined ? from : `(SELECT *, ${time(arrivalNs)} AS ${ARRIVAL} FROM ${from})`
}

export type ForeignFormat = 'parquet' | 'csv' | 'json' | 'arrow'
