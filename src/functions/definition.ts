import { type Interval, type JsonValue, type Meter } from '../base/index.ts'
import type { DataType, MutableRow, Row, Value } from '../data/index.ts'

export interface FunctionExample {
  readonly query: string
  /** Rows that the example query returns for the reference data set, as JSON. */
  readonly result?: readonly JsonValue[]
}

export interface FunctionDoc {
  /** Describes the function in one sentence. */
  readonly summary: string
  readonly parameters: readonly { readonly name: string; readonly text: string }[]
  readonly examples: readonly FunctionExample[]
}

export interface Signature {
  /** Literal parameters that precede the columns in a call, such as phi. */
  readonly params: readonly { readonly name: string; readonly type: DataType; readonly isOptional?: boolean }[]
  readonly minArgs: number
  /** Maximum number of arguments; `Infinity` for a variadic function. */
  readonly maxArgs: number
}

/**
 * How stable the result of a function is for equal arguments:
 * - `immutable`: always the same. Only these calls are computed before the query runs.
 * - `per-query`: the same within one query, because the function reads the clock or the query's range.
 * - `per-row`: random. The call runs once for each row, at its position in the plan.
 */
export type Volatility = 'immutable' | 'per-query' | 'per-row'

/** A pure function of values. `evaluate` never throws; it returns `null` or NaN if there is no result. */
export interface ScalarFunction {
  readonly name: string
  readonly aliases: readonly string[]
  readonly signature: Signature
  readonly returns: (args: readonly DataType[]) => DataType
  readonly evaluate: (args: readonly Value[]) => Value
  /** Stability of the result for equal arguments. Default: `immutable`. */
  readonly volatility?: Volatility
  /**
   * @internal True if rows have few combinations of the arguments, like the labels of streams. The function is then
   * called once per combination instead of once per row. Default: unknown.
   */
  readonly hasFewArguments?: true
  /** False if queries cannot call the function by name in `math`. */
  readonly isMathCall?: false
  readonly doc: FunctionDoc
}

export interface StatsContext {
  /** Number of seconds by which `rate()` divides: the query's range, or the width of the time bucket. */
  readonly rangeSeconds: number | undefined
}

/**
 * The state of one group, to which rows are added. Functions that take field patterns or whole rows also receive the
 * names of the fields.
 */
export interface Accumulator {
  /**
   * Adds one row. If the call has no field patterns, `names` is `StatsCall.argNames` and may be omitted. If it has
   * patterns, `values` are the matching fields that the row has: first the fields of the input schema in schema order,
   * then the others by code point. `names` then holds the names of these fields, but not the names of sort keys, whose
   * values come last.
   */
  add(values: readonly Value[], names?: readonly string[]): void
  /** Merges another accumulator of the same call. The rows of `other` must come after the rows of this accumulator. */
  merge(other: Accumulator): void
  /** Returns the result for the rows so far. May be called several times, and rows may be added afterwards. */
  finish(): Value
  /** Exports the state as plain data. */
  export(): JsonValue
  import(state: JsonValue): void
}

export interface StatsCall {
  readonly params: readonly Value[]
  readonly limit: number | undefined
  /** Names of the argument columns, in which patterns are expanded. */
  readonly argNames: readonly string[]
  /** Sort directions of a call with an order. The values of its sort keys follow the arguments. */
  readonly orderDirections: readonly ('asc' | 'desc')[]
  readonly context: StatsContext
  /**
   * Reserves memory for a state before the state grows, and checks the length of a value before the value is created.
   */
  readonly meter: Meter
}

/**
 * Functions for which backends have a faster implementation:
 * - `present` and `empty` count rows: those with at least one non-empty argument, and those with none. Without
 *   arguments, every row is `present`.
 * - `distinct` counts distinct argument tuples; `templates` counts the templates of a string.
 * - `quantile` uses the parameter; `median` is the quantile 0.5.
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
 * Syntax of a call where it does not follow from the signature. By default, a function of any number of fields reads
 * all fields if the call lists none.
 */
export interface CallForm {
  /** False if a call without fields does not read all fields: it is an error, or reads none. */
  readonly isAllByDefault?: false
  /** False if `prefix*` is not allowed as an argument. Default: allowed for functions of any number of fields. */
  readonly takesPatterns?: false
  readonly takesLimit?: true
  readonly takesOrder?: true
  /** True if only `running_stats` and `total_stats` can call the function. Its parameter is then written `offset N`. */
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
   * How partial states are merged. `distributive`: exactly, from finished values. `algebraic`: from a state that has
   * more information than the result. `holistic`: only from all values.
   */
  readonly algebra: 'distributive' | 'algebraic' | 'holistic'
  /**
   * @internal Name of the stats function that computes a group's result from the results of its parts. Default: none.
   */
  readonly combinedBy?: string
  /** True if the result depends on the order of rows. */
  readonly isOrderSensitive: boolean
  /** True if the result depends on the query's range or on the width of the time bucket. */
  readonly dependsOnTime?: boolean
  /** Faster implementation in backends, with the same result as the accumulator. */
  readonly kernel?: StatsKernel | undefined
  readonly doc: FunctionDoc
}

/** Creates the state of one group. */
export type MakeAccumulator = (call: StatsCall) => Accumulator

/** A stats function with its code. */
export interface StatsImplementation extends StatsFunction {
  readonly accumulator: MakeAccumulator
}

/** Context of a row function. `nowNs` is the fixed time of the query, because functions never read the clock. */
export interface RowContext {
  readonly nowNs: bigint
  readonly range: Interval
  /** Checks the length of a value before it is created. Table functions also reserve their memory here. */
  readonly meter: Meter
}

/**
 * Definition of a function that rewrites one row at a time; `RowImplementation` adds its code. The plan node
 * (`FieldUse`) says which fields the function reads and writes.
 */
export interface RowFunction {
  readonly name: string
  /**
   * Parameters that hold a field name to read, or a list of them. Binding resolves aliases in these names, and `''` to
   * the text field.
   */
  readonly fieldParams?: readonly string[]
  /**
   * Parameter into which the optimizer writes the fields that are used. Without it, the function produces every field
   * that its patterns match.
   */
  readonly neededParam?: string
  readonly doc: FunctionDoc
}

/**
 * Compiles the parameters once, and returns a function from a row to the rows that replace it. That function may modify
 * the given row, and should be lazy if it returns many rows.
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
  /** Parameters that hold field names; see `RowFunction.fieldParams`. */
  readonly fieldParams?: readonly string[]
  /** True if binding must set the parameter `streamFields` to the table's stream fields. */
  readonly needsStreamFields?: boolean
  /**
   * Set for functions that describe storage: `stored-rows` for how a backend stores rows (allowed only directly after
   * the filters of a scan), `reading` for what it has read. Their results differ between backends and count rows that a
   * scope hides, so they are refused under a scope. Only a backend with a kernel runs them: `compile` of
   * `TableImplementation` must not be called.
   */
  readonly physical?: 'stored-rows' | 'reading'
  /**
   * Output column that contains names of stored fields. Set for functions whose rows describe fields; rows for fields
   * that were dropped before are omitted.
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
   * Maximum number of bytes of a string that the function reads; longer strings may be truncated to this length.
   * Default: whole strings are read.
   */
  readonly maxTextBytes?: number
  add(row: Row): void
  finish(): Iterable<Row>
}
