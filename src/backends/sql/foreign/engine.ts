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
  /** Whether the column, or a text inside it, compares by a collation: other than by its bytes. */
  readonly isCollated?: boolean
}

/**
 * How a result column crosses, NULL always as `null`: a string, a number, a bigint, a boolean, or JSON as its text. Every
 * statement is written so that these are enough: times are whole nanoseconds.
 */
export type ForeignForm = 'text' | 'double' | 'int64' | 'bool' | 'json'

export type ForeignValue = string | number | bigint | boolean | null

export interface ForeignStatement {
  readonly sql: string
  /** In the order of their positions, which begin at 1. */
  readonly parameters: readonly SqlParameter[]
  /** One for each result column. */
  readonly forms: readonly ForeignForm[]
  /** How many rows it gives at most, where that is known. */
  readonly mostRows?: number | undefined
}

export interface ForeignRun {
  /** Its time, memory and cancel signal become limits of the statement in the engine. */
  readonly budget: Budget
  /** Rows a batch holds at most. */
  readonly batchRows: number
  /** Whether no other statement of the query runs beside this one, which would have to see the same rows. */
  readonly isAlone?: boolean
}

/** Result rows, column by column, each as its `ForeignForm` says. */
export interface ForeignBatch {
  readonly rowCount: number
  readonly columns: readonly (readonly ForeignValue[])[]
}

export type ForeignName = 'duckdb' | 'clickhouse' | 'postgres' | 'sqlite'

/** A database that keeps its own data and runs statements over it. */
export interface ForeignEngine {
  readonly name: ForeignName
  readonly dialect: Dialect
  /** Columns of a source in their order. Throws SluiceError `foreign/connect` or `foreign/no-source`. */
  describe(source: ForeignSource): Promise<readonly ForeignColumn[]>
  /** A source with all that reading it must be told, found by a look at it; the same one where there is nothing. */
  settle?(source: ForeignSource): Promise<ForeignSource>
  /**
   * Batches in the statement's order. Pull-driven, at most one batch ahead. When the consumer returns or the budget's signal
   * aborts, the statement is ended in the engine itself, which may only read. Throws SluiceError `foreign/statement-failed`
   * and `budget/…`.
   */
  run(statement: ForeignStatement, options: ForeignRun): AsyncIterable<ForeignBatch>
  /** The engine's own plan of a statement, line by line. */
  explain(statement: ForeignStatement): Promise<readonly string[]>
  close(): Promise<void>
}
