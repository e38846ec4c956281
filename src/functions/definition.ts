import { type Interval, type JsonValue, type Meter } from '../base/index.ts'
import type { DataType, MutableRow, Row, Value } from '../data/index.ts'

export interface FunctionExample {
  readonly query: string
  /** What the query answers over the reference data set, as JSON rows. */
  readonly result?: readonly JsonValue[]
}

export interface FunctionDoc {
  /** One sentence. */
  readonly summary: string
  readonly parameters: readonly { readonly name: string; readonly text: string }[]
  readonly examples: readonly FunctionExample[]
}

export interface Signature {
  /** Literal parameters that stand before the columns, such as phi. */
  readonly params: readonly { readonly name: string; readonly type: DataType; readonly isOptional?: boolean }[]
  readonly minArgs: number
  /** `Infinity` for variadic. */
  readonly maxArgs: number
}

/**
 * When the answer may change though the arguments do not: never, from one query to the next (it looks at the clock or
 * the range of the query), or from row to row (chance). What is not `immutable` is not computed ahead of the query;
 * what is `per-row` is called once for each row that reaches it, at the place where it is written.
 */
export type Volatility = 'immutable' | 'per-query' | 'per-row'

/** A pure function of values: `evaluate` never throws and gives `null` or NaN where it has no answer. */
export interface ScalarFunction {
  readonly name: string
  readonly aliases: readonly string[]
  readonly signature: Signature
  readonly returns: (args: readonly DataType[]) => DataType
  readonly evaluate: (args: readonly Value[]) => Value
  /** `immutable` when left out. */
  readonly volatility?: Volatility
  /** `math` calls it by its name, unless it is written otherwise or not at all. */
  readonly isMathCall?: false
  readonly doc: FunctionDoc
}

export interface StatsContext {
  /** The range that `rate()` divides by: the query's, or the time bucket's width. */
  readonly rangeSeconds: number | undefined
}

/**
 * State of one group. `values` are the arguments of one row in the order of the call; field names come with them for
 * functions that take field patterns or whole rows.
 */
export interface Accumulator {
  /**
   * One row. When the call has field patterns, `names` are the names of the values (of the arguments, not of sort keys
   * behind them) and differ from row to row: the fields of the row that match, in the order of the input's schema, then
   * by code point, missing ones left out. Without patterns they are `StatsCall.argNames` and may be left out.
   */
  add(values: readonly Value[], names?: readonly string[]): void
  /** Takes over the state of another accumulator of the same call; rows of `other` come after the own ones. */
  merge(other: Accumulator): void
  /** The result of the rows so far; more may follow, and it may be asked for again. */
  finish(): Value
  /** The state as plain data, and back. */
  export(): JsonValue
  import(state: JsonValue): void
}

export interface StatsCall {
  readonly params: readonly Value[]
  readonly limit: number | undefined
  /** Names of the argument columns after expansion of patterns. */
  readonly argNames: readonly string[]
  /** Sort directions when the call has an order (the key values are appended to the arguments). */
  readonly orderDirections: readonly ('asc' | 'desc')[]
  readonly context: StatsContext
  /** Told of what a state keeps before it keeps it, and asked before a long value is made. */
  readonly meter: Meter
}

/**
 * Work that backends know a shorter way for than an accumulator. `present`, `empty`: how many rows have some argument, or
 * none; without arguments all are `present`. `distinct`: how many combinations of arguments there are. `quantile`: of the
 * parameter; `median`: of a half.
 */
export type StatsKernel =
  | 'present'
  | 'empty'
  | 'rows-per-second'
  | 'sum'
  | 'mean'
  | 'least'
  | 'greatest'
  | 'quantile'
  | 'median'
  | 'distinct'

/** How a query writes a call, where the signature does not say: a function of any number of fields takes all when none is written. */
export interface CallForm {
  /** None written is an error, or none. */
  readonly isAllByDefault?: false
  /** Whether `prefix*` may stand among the fields; yes for functions of any number of them. */
  readonly takesPatterns?: false
  readonly takesLimit?: true
  readonly takesOrder?: true
  /** Only `running_stats` and `total_stats` call it; its parameter is written `offset N`. */
  readonly isRunningOnly?: true
}

/** Definition of a function over the rows of a group; `StatsImplementation` adds its code. */
export interface StatsFunction {
  readonly name: string
  readonly aliases: readonly string[]
  readonly signature: Signature
  readonly form?: CallForm
  readonly returns: (args: readonly DataType[]) => DataType
  /** Whether partial states merge exactly from finished values, merge with a richer state, or need all the values. */
  readonly algebra: 'distributive' | 'algebraic' | 'holistic'
  /** Whether the answer depends on the order of the rows. */
  readonly isOrderSensitive: boolean
  /** Depends on the range of the query, or on the width of its time bucket. */
  readonly dependsOnTime?: boolean
  /** The short way that gives the same answer as the accumulator. */
  readonly kernel?: StatsKernel | undefined
  readonly doc: FunctionDoc
}

/** Creates the state of one group. */
export type MakeAccumulator = (call: StatsCall) => Accumulator

export interface StatsImplementation extends StatsFunction {
  readonly accumulator: MakeAccumulator
}

/** Where a row function's surroundings show: the clock never does. */
export interface RowContext {
  readonly nowNs: bigint
  readonly range: Interval
  /** Asked before a long value is made; what a table function keeps, it charges here before it keeps it. */
  readonly meter: Meter
}

/**
 * Definition of a function that rewrites one row at a time; `RowImplementation` adds its code. What it reads and writes
 * stands in the plan node (`FieldUse`).
 */
export interface RowFunction {
  readonly name: string
  /**
   * Members of the parameters that hold names of fields it reads, alone or in lists; bind resolves aliases in them, and
   * `''` to the text field.
   */
  readonly fieldParams?: readonly string[]
  /**
   * Member of the parameters that may list fields: of all that it finds by pattern, only these need to be written. Absent
   * parameters of this name mean all.
   */
  readonly neededParam?: string
  readonly doc: FunctionDoc
}

/**
 * Compiles the parameters once; the result maps a row to the rows that take its place, which are drawn one by one where
 * there may be many. It may change the row given.
 */
export type CompileRow<P = JsonValue> = (params: P, context: RowContext) => (row: MutableRow) => Iterable<Row> | Row

export interface RowImplementation extends RowFunction {
  readonly compile: CompileRow
}

/** Table functions that backends know a way of their own for. */
export type TableKernel = 'window' | 'block-stats' | 'blocks-count' | 'query-stats'

/** Definition of a function that sees all rows, in order, and gives new ones; `TableImplementation` adds its code. */
export interface TableFunction {
  readonly name: string
  /** As in `RowFunction`. */
  readonly fieldParams?: readonly string[]
  /** Bind puts the names of the table's stream fields into the parameter `streamFields`. */
  readonly needsStreamFields?: boolean
  /**
   * Tells how a backend stores rows, right behind the filters of a scan, or what it has read. Answers differ from
   * backend to backend and count rows that a data scope hides, so a scope refuses the function, and only a backend that
   * has a kernel for it answers: `compile` of `TableImplementation` must not be called.
   */
  readonly physical?: 'stored-rows' | 'reading'
  /** The column that names a stored field in rows about these; fields left out in front of the function are left out of it. */
  readonly fieldColumn?: string
  readonly kernel?: TableKernel
  readonly doc: FunctionDoc
}

export type CompileTable<P = JsonValue> = (params: P, context: RowContext) => TableState

export interface TableImplementation extends TableFunction {
  readonly compile: CompileTable
}

export interface TableState {
  add(row: Row): void
  finish(): Iterable<Row>
}
