import type { Budget } from '../../../base/index.ts'
import type { Dialect } from '../dialect.ts'
import type { SqlParameter } from '../statement/params.ts'
import type { ForeignSource } from './source.ts'

export type { ForeignFormat, ForeignSource } from './source.ts'

/** A column as the database describes it. `type` is the database's name of the column's type. */
export interface ForeignColumn {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  /** True if the database compares the column's strings by a collation instead of by bytes. */
  readonly isCollated?: boolean
}

/**
 * The JavaScript type of the values in a result column; NULL is always `null`. Statements convert every value to one of
 * these types, and times to whole nanoseconds.
 */
export type ForeignForm = 'text' | 'double' | 'int64' | 'bool' | 'json'

export type ForeignValue = string | number | bigint | boolean | null

export interface ForeignStatement {
  readonly sql: string
  /** The parameters in the order of their positions, counted from 1. */
  readonly parameters: readonly SqlParameter[]
  /** The form of each result column. */
  readonly forms: readonly ForeignForm[]
  /** The maximum number of rows that the statement returns; `undefined` when not known. */
  readonly mostRows?: number | undefined
}

export interface ForeignRun {
  /** The limits of the query. Its deadline, memory and cancellation become limits of the statement in the database. */
  readonly budget: Budget
  /** The maximum number of rows in a batch. */
  readonly batchRows: number
  /** True if this is the only statement of the query, so that it need not share a snapshot with other statements. */
  readonly isAlone?: boolean
}

/** A batch of result rows, column by column. The values of a column have the JavaScript type of its form. */
export interface ForeignBatch {
  readonly rowCount: number
  readonly columns: readonly (readonly ForeignValue[])[]
}

export type ForeignName = 'duckdb' | 'clickhouse' | 'postgres' | 'sqlite'

/** A connection to a user's own database: describes tables and runs statements. */
export interface ForeignEngine {
  readonly name: ForeignName
  readonly dialect: Dialect
  /**
   * Returns the columns of a table or of files, in their order. Throws SluiceError `foreign/connect` or
   * `foreign/no-source`.
   */
  describe(source: ForeignSource): Promise<readonly ForeignColumn[]>
  /**
   * Inspects a table or files once, and returns the source with all options for reading, such as column types. Returns
   * the source unchanged if none are needed.
   */
  settle?(source: ForeignSource): Promise<ForeignSource>
  /**
   * Runs a statement and yields its rows in order, at most one batch ahead of the reader. If the reader stops or the
   * budget aborts, the statement is ended in the database too. Statements can only read. Throws SluiceError
   * `foreign/statement-failed` and `budget/…`.
   */
  run(statement: ForeignStatement, options: ForeignRun): AsyncIterable<ForeignBatch>
  /** Returns the database's plan of a statement, one string for each line. */
  explain(statement: ForeignStatement): Promise<readonly string[]>
  close(): Promise<void>
}
