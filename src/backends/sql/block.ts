import type { WordQuery } from '../../store/sqlite/index.ts'
import {
  matchesField,
  type AggregateCall,
  type AnyField,
  type Expr,
  type FieldPattern,
  type LogicalPlan,
} from '../../plan/index.ts'
import type { StatsFunction } from '../../functions/index.ts'
import type { Value, ValueTest } from '../../data/index.ts'
import type { OrderTerm, Source, SqlExpr, SqlLimitBy } from './statement/ast.ts'
import type { Base } from './base.ts'
import { missingCell, type Cell, type Facts } from './cell.ts'
import type { AttributeMapping } from './foreign/mapping.ts'

/**
 * A search in the word index for a condition that every row must meet, and the condition itself as a test of the row.
 */
export interface WordTerm {
  readonly query: WordQuery
  /** The complete condition as a test of the row itself; used if the word index cannot be used. */
  readonly test: SqlExpr
  /** True if the index finds exactly the matching rows. Otherwise `test` must be evaluated too. */
  readonly isExact: boolean
}

/**
 * The undeclared fields of a row: the SQL expressions that hold them, and the name patterns of fields that the query
 * must not see.
 */
export interface RestFields {
  readonly parts: readonly SqlExpr[]
  readonly hidden: readonly FieldPattern[]
}

/**
 * An immutable SELECT under construction, for a subtree of the plan. The nodes above the subtree add clauses. A block
 * to which a clause cannot be added becomes the source of a new block (`nest`).
 */
export interface QueryBlock {
  readonly host: Host
  readonly source: { readonly kind: 'base'; readonly base: Base } | { readonly kind: 'derived'; readonly from: Source }
  readonly words: readonly WordTerm[]
  readonly where: readonly SqlExpr[]
  readonly fields: ReadonlyMap<string, Cell>
  readonly rest: RestFields | undefined
  readonly groupBy: readonly SqlExpr[] | undefined
  readonly isDistinct: boolean
  /**
   * Conditions that detect a group with the key `''`. The answer is wrong if such a group exists, because its rows
   * belong to the group of missing values.
   */
  readonly unmerged?: readonly SqlExpr[] | undefined
  readonly having: readonly SqlExpr[]
  /** The terms of ORDER BY, most significant first. They define a total order. */
  readonly order: readonly OrderTerm[]
  readonly limitBy?: SqlLimitBy | undefined
  readonly limit: number | undefined
  readonly offset: number
  /**
   * The SQL expression by whose value a sample selects records. Set only if the plan has a sample and every row is one
   * record.
   */
  readonly record: SqlExpr | undefined
}

/**
 * The context of an expression: the block whose columns it reads, and the plan node that the error names if the
 * expression cannot be compiled.
 */
export interface ExprContext {
  readonly block: QueryBlock
  readonly node: LogicalPlan
}

/** An aggregate call whose arguments, keys and filter are compiled to SQL. */
export interface CompiledCall {
  readonly call: AggregateCall
  readonly definition: StatsFunction
  readonly args: readonly Cell[]
  readonly keys: readonly Cell[]
  readonly filter: SqlExpr | undefined
  readonly rangeSeconds: number | undefined
  /** True if a group may have no row that this call aggregates: there are no group keys, or the call has a filter. */
  readonly mayBeEmpty: boolean
  /** True if the call aggregates a window of rows, which has its own order. */
  readonly isWindow: boolean
}

/**
 * Compiles what plain SQL cannot express. For SQLite in this process, the result calls host functions (code of Sluice).
 * For other databases, the result is longer SQL that is exact for every value. All members throw CannotCompile if
 * neither is possible.
 */
export interface Host {
  /** The columns that hold undeclared fields; set when a table has several. */
  readonly attributes?: readonly AttributeMapping[]
  literal(value: Value): Cell
  /**
   * Compiles a test of a value to a condition, in plain SQL if possible; negated unless `isPositive`. The condition is
   * never NULL where an enclosing expression negates it.
   */
  test(c: Cell, test: ValueTest, isPositive: boolean, context: ExprContext): SqlExpr
  /**
   * Compiles a test to a search in the word index over the rows of the whole block. Returns `undefined` if the index
   * does not help.
   */
  wordTerm?(c: Cell, test: ValueTest): WordTerm | undefined
  /**
   * Compiles a test of all undeclared fields to a condition that holds if at least one of them passes; negated unless
   * `isPositive`.
   */
  anyOther(expr: AnyField, rest: RestFields, isPositive: boolean, context: ExprContext): SqlExpr
  /** Compiles a function call, a conditional expression or a bucket (a value rounded down) to a value. */
  value(expr: Expr, context: ExprContext): Cell
  /** Compiles an expression to a condition; negated unless `isPositive`. */
  condition(expr: Expr, isPositive: boolean, context: ExprContext): SqlExpr
  /** Converts a condition, which may be NULL, to a bool value. */
  truth(condition: SqlExpr): Cell
  /** Compiles the value of one undeclared field. The query must be allowed to see the field. */
  field(rest: RestFields, name: string): Cell
  /**
   * Returns the value of the undeclared-fields column at position `index` in rows without undeclared fields. NULL by
   * default.
   */
  emptyRest?(index: number): SqlExpr
  /**
   * Returns ORDER BY terms for values of mixed types: numbers, then times, then strings. Used if the database itself
   * sorts differently.
   */
  rankTerms(c: Cell, direction: OrderTerm['direction'], isGroupKey: boolean, context: ExprContext): readonly OrderTerm[]
  /**
   * Normalizes a float that serves as a key. Present for databases that treat 0 and -0, or two NaNs, as different keys.
   */
  floatKey?(sql: SqlExpr): SqlExpr
  /**
   * Returns a sort term that is true for NaN. Present for databases that do not sort NaN after all other numbers in
   * this direction.
   */
  nanLast?(sql: SqlExpr, direction: OrderTerm['direction']): SqlExpr | undefined
  /**
   * Converts a value of any type to a group key. Two keys are equal in SQL if and only if they denote the same group.
   */
  groupKey(c: Cell, context: ExprContext): Cell
  /**
   * Converts one side of a join condition to a key. Keys are equal in SQL exactly if the strings of their values are
   * equal; an empty key becomes NULL.
   */
  joinKey(own: Cell, other: Cell, context: ExprContext): Cell
  /**
   * Converts cells to one common SQL representation (`Form`). Cells that already share a representation are returned
   * unchanged.
   */
  common(cells: readonly Cell[], context: ExprContext): readonly Cell[]
  /** Converts a cell to an SQL representation that can hold NULL. */
  nullable(c: Cell): Cell
  stats(call: CompiledCall, context: ExprContext): Cell
  /** Facts about the values of row counts and row positions. */
  readonly counts: Facts
}

/** The clauses of a block that only returns the rows of its source, without filter, groups, order or limit. */
export const bareBlock = {
  words: [],
  where: [],
  groupBy: undefined,
  isDistinct: false,
  having: [],
  limit: undefined,
  offset: 0,
} as const satisfies Partial<QueryBlock>

/**
 * Thrown by the compiler if the database cannot run a node. Names the node and the reason. Always caught in this
 * folder.
 */
export class CannotCompile extends Error {
  readonly node: LogicalPlan
  readonly reason: string

  constructor(node: LogicalPlan, reason: string) {
    super(reason)
    this.node = node
    this.reason = reason
  }
}

/**
 * Thrown by the compiler if a group `''` might have to be merged with the missing values and this cannot be detected.
 * Always caught in this folder.
 */
export class NotMerged extends Error {}

export function isGrouped(block: QueryBlock): boolean {
  return block.groupBy !== undefined || block.isDistinct
}

export function isLimited(block: QueryBlock): boolean {
  return block.limit !== undefined || block.offset > 0 || block.limitBy !== undefined
}

/**
 * Returns the cell (SQL value with known facts) of a field; an always-missing cell if rows cannot have the field or the
 * query must not see it.
 */
export function fieldCell(block: QueryBlock, name: string): Cell {
  const found = block.fields.get(name)
  if (found !== undefined) return found
  const { rest } = block
  if (rest === undefined || rest.hidden.some((pattern) => matchesField(pattern, name))) return missingCell
  return block.host.field(rest, name)
}

export function withField(block: QueryBlock, name: string, c: Cell): QueryBlock {
  const fields = new Map(block.fields)
  fields.set(name, c)
  return { ...block, fields, rest: hide(block.rest, [{ parts: [name] }]) }
}

export function hide(rest: RestFields | undefined, patterns: readonly FieldPattern[]): RestFields | undefined {
  return rest === undefined ? undefined : { ...rest, hidden: [...rest.hidden, ...patterns] }
}
