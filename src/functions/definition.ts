import { type Interval, type JsonValue, type Meter } from '../base/index.ts'
import type { DataType, MutableRow, Row, Value } from '../data/index.ts'

export interface FunctionExample {
  readonly query: string
  /** The answer to the example query over the reference data set, as JSON rows. */
  readonly result?: readonly JsonValue[]
}

export interface FunctionDoc {
  /** One sentence. */
  readonly summary: string
  readonly parameters: readonly { readonly name: string; readonly text: string }[]
  readonly examples: readonly FunctionExample[]
}

export interface Signature {
  /** Literal parameters before the columns, such as phi. */
  readonly params: readonly { readonly name: string; readonly type: DataType; readonly isOptional?: boolean }[]
  readonly minArgs: number
  /** `Infinity` for variadic. */
  readonly maxArgs: number
}

/**
 * Stability of a function's result for equal arguments: `immutable` always; `per-query` within a query (it reads the
 * clock or the query's range); `per-row` never (random). Only `immutable` calls are computed before the query. A
 * `per-row` call runs once for each row at its position in the plan.
 */
export type Volatility = 'immutable' | 'per-query' | 'per-row'

/** A pure function of values: `evaluate` never throws, and returns `null` or NaN if it has no result. */
export interface ScalarFunction {
  readonly name: string
  readonly aliases: readonly string[]
  readonly signature: Signature
  readonly returns: (args: readonly DataType[]) => DataType
  readonly evaluate: (args: readonly Value[]) => Value
  /** Default: `immutable`. */
  readonly volatility?: Volatility
  /**
   * @internal True if the rows have few combinations of the arguments, as with labels of streams. The function is then
   * called once per combination instead of once per row. Default: unknown.
   */
  readonly hasFewArguments?: true
  /** False if `math` cannot call the function by its name. */
  readonly isMathCall?: false
  readonly doc: FunctionDoc
}

export interface StatsContext {
  /** Seconds that `rate()` divides by: the query's range, or the width of the time bucket. */
  readonly rangeSeconds: number | undefined
}

/**
 * The state of one group. `values` are the arguments of one row in call order. Functions that take field patterns or
 * whole rows also receive the field names.
 */
export interface Accumulator {
  /**
   * Adds one row. If the call has field patterns, the arguments are the matching fields that the row has: first those
   * of the input schema in its order, then the others by code point. `names` has their names, without those of sort
   * keys after them. If the call has no patterns, `names` is `StatsCall.argNames` and may be omitted.
   */
  add(values: readonly Value[], names?: readonly string[]): void
  /** Merges another accumulator of the same call, whose rows come after the rows of this one. */
  merge(other: Accumulator): void
  /** Returns the result for the rows so far. More rows may be added afterwards, and it may be called again. */
  finish(): Value
  /** Exports the state as plain data. */
  export(): JsonValue
  import(state: JsonValue): void
}

export interface StatsCall {
  readonly params: readonly Value[]
  readonly limit: number | undefined
  /** Names of the argument columns, with patterns expanded. */
  readonly argNames: readonly string[]
  /** Sort directions of an ordered call; key values follow the arguments. */
  readonly orderDirections: readonly ('asc' | 'desc')[]
  readonly context: StatsContext
  /** Reserves the memory of a state before it grows, and checks the length of a value before it is made. */
  readonly meter: Meter
}

/**
 * Functions for which backends have a faster implementation. `present` and `empty` count the rows with some non-empty
 * argument, or with none; without arguments every row is `present`. `distinct` counts distinct argument tuples.
 * `templates` counts the templates of a string. `quantile` uses the parameter; `median` is the quantile 0.5.
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
  | 'text-bytes'
  | 'distinct'
  | 'templates'

/**
 * Details of a call's syntax that the signature does not determine. By default, a function of any number of fields
 * takes all fields if the call lists none.
 */
export interface CallForm {
  /** False if a call without fields is an error, or means no fields. */
  readonly isAllByDefault?: false
  /** False if `prefix*` is not allowed; default: allowed for functions of any number of fields. */
  readonly takesPatterns?: false
  readonly takesLimit?: true
  readonly takesOrder?: true
  /** Only for `running_stats` and `total_stats`; its parameter is written `offset N`. */
  readonly isRunningOnly?: true
}

/** Definition of a function over the rows of a group; `StatsImplementation` adds its code. */
export interface StatsFunction {
  readonly name: string
  readonly aliases: readonly string[]
  readonly signature: Signature
  readonly form?: CallForm
  readonly returns: (args: readonly DataType[]) => DataType
  /**
   * Merging of partial states. `distributive`: exactly from finished values. `algebraic`: from a state with more
   * information. `holistic`: only from all values.
   */
  readonly algebra: 'distributive' | 'algebraic' | 'holistic'
  /** @internal The stats function that computes a group's result from the results of its parts. Default: none. */
  readonly combinedBy?: string
  /** True if the result depends on the order of rows. */
  readonly isOrderSensitive: boolean
  /** True if it depends on the query's range or the width of its time bucket. */
  readonly dependsOnTime?: boolean
  /** Faster implementation with the same result as the accumulator. */
  readonly kernel?: StatsKernel | undefined
  readonly doc: FunctionDoc
}

/** Makes the state of one group. */
export type MakeAccumulator = (call: StatsCall) => Accumulator

/** A stats function with its code. */
export interface StatsImplementation extends StatsFunction {
  readonly accumulator: MakeAccumulator
}

/** Context of a row function; it never includes the clock. */
export interface RowContext {
  readonly nowNs: bigint
  readonly range: Interval
  /** Checks the length of a value before it is made; a table function reserves its memory here first. */
  readonly meter: Meter
}

/**
 * Definition of a function that rewrites one row at a time; `RowImplementation` adds its code. Its fields are in the
 * plan node (`FieldUse`).
 */
export interface RowFunction {
  readonly name: string
  /**
   * Parameters with names of fields to read, single or in lists; binding resolves aliases in them, and `''` to the text
   * field.
   */
  readonly fieldParams?: readonly string[]
  /**
   * Parameter into which the optimizer writes the fields that are used. Without it the function produces every field
   * that its pattern matches.
   */
  readonly neededParam?: string
  readonly doc: FunctionDoc
}

/**
 * Compiles the parameters once and returns a function from a row to its replacements, lazily if there may be many. It
 * may modify the given row.
 */
export type CompileRow<P = JsonValue> = (params: P, context: RowContext) => (row: MutableRow) => Iterable<Row> | Row

/** A row function with its code. */
export interface RowImplementation extends RowFunction {
  readonly compile: CompileRow
}

/** Table functions that backends implement themselves. */
export type TableKernel = 'window' | 'block-stats' | 'blocks-count' | 'query-stats'

/** Definition of a function over all rows in order; `TableImplementation` adds its code. */
export interface TableFunction {
  readonly name: string
  /** See `RowFunction`. */
  readonly fieldParams?: readonly string[]
  /** True if binding must set the parameter `streamFields` to the table's stream fields. */
  readonly needsStreamFields?: boolean
  /**
   * For functions about how a backend stores rows (directly after the filters of a scan), or about what it has read.
   * Their results differ between backends and include rows that a scope hides. So they are refused under a scope, and
   * only a backend with a kernel for them runs them: `compile` of `TableImplementation` must not be called.
   */
  readonly physical?: 'stored-rows' | 'reading'
  /**
   * In results that describe fields, the column with the name of a stored field. Fields that were dropped before are
   * left out.
   */
  readonly fieldColumn?: string
  readonly kernel?: TableKernel
  readonly doc: FunctionDoc
}

export type CompileTable<P = JsonValue> = (params: P, context: RowContext) => TableState

/** A table function with its code. */
export interface TableImplementation extends TableFunction {
  readonly compile: CompileTable
}

export interface TableState {
  /**
   * Bytes of a string that the function reads at most; longer strings may be truncated to this length. Default: it
   * reads whole strings.
   */
  readonly maxTextBytes?: number
  add(row: Row): void
  finish(): Iterable<Row>
}
