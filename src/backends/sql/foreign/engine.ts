import type { Budget } from '../../../base/index.ts'
import type { Dialect } from '../dialect.ts'
import type { SqlParameter } from '../statement/params.ts'
import type { ForeignSource } from './source.ts'

export type { ForeignFormat, ForeignSource } from './source.ts'

/** A column as the engine describes it, with the engine's own name of its type. */
export interface ForeignColumn {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  /** Whether texts of the column are compared by a collation instead of by bytes. */
  readonly isCollated?: boolean
}

/**
 * The JavaScript type in which a result column arrives; NULL is always `null`. Statements convert every value to one of
 * these types; times are whole nanoseconds.
 */
export type ForeignForm = 'text' | 'double' | 'int64' | 'bool' | 'json'

export type ForeignValue = string | number | bigint | boolean | null

export interface ForeignStatement {
  readonly sql: string
  /** The parameters in the order of their positions, from 1. */
  readonly parameters: readonly SqlParameter[]
  /** The representation of each result column. */
  readonly forms: readonly ForeignForm[]
  /** The most rows that it returns, when known. */
  readonly mostRows?: number | undefined
}

export interface ForeignRun {
  /** Its deadline, memory and cancel signal become limits of the statement in the engine. */
  readonly budget: Budget
  /** The most rows of a batch. */
  readonly batchRows: number
  /** Whether no other statement of the query runs at the same time, which would have to see the same rows. */
  readonly isAlone?: boolean
}

/** Result rows by column, each in its representation. */
export interface ForeignBatch {
  readonly rowCount: number
  readonly columns: readonly (readonly ForeignValue[])[]
}

export type ForeignName = 'duckdb' | 'clickhouse' | 'postgres' | 'sqlite'

/** A database with data of its own that runs statements. */
export interface ForeignEngine {
  readonly name: ForeignName
  readonly dialect: Dialect
  /** Returns the columns of a source in their order. Throws SluiceError `foreign/connect` or `foreign/no-source`. */
  describe(source: ForeignSource): Promise<readonly ForeignColumn[]>
  /**
   * Inspects a source and returns it with the options that its reader needs, such as column types; unchanged when none
   * are needed.
   */
  settle?(source: ForeignSource): Promise<ForeignSource>
  /**
   * Returns batches in the statement's order, at most one batch ahead of the reader. When the reader stops or the
   * budget's signal aborts, the statement is ended in the engine itself, which may only read. Throws SluiceError
   * `foreign/statement-failed` and `budget/…`.
   */
  run(statement: ForeignStatement, options: ForeignRun): AsyncIterable<ForeignBatch>
  /** Returns the engine's own plan of a statement, line by line. */
  explain(statement: ForeignStatement): Promise<readonly string[]>
  close(): Promise<void>
}
