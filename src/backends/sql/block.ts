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

/** A search in the word index for a condition that every row must meet, and the same condition as a test of the row. */
export interface WordTerm {
  readonly query: WordQuery
  /** The complete condition as a test of the row itself; used where the word index cannot be. */
  readonly test: SqlExpr
  /** True if the index finds exactly the matching rows. Otherwise `test` is evaluated too. */
  readonly isExact: boolean
}

/**
 * The undeclared fields of a row: the SQL expressions that hold them, and the patterns of those field names that
 * queries must not see.
 */
export interface RestFields {
  readonly parts: readonly SqlExpr[]
  readonly hidden: readonly FieldPattern[]
}

/**
 * A SELECT under construction. It represents a subtree of the plan; the nodes above add clauses. It is immutable. When
 * a clause cannot be added, the block becomes the source of a new block (`nest`).
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
   * Conditions that detect a group with the key `''`. Such a group belongs to the group of missing values, so the
   * answer is wrong when one exists.
   */
  readonly unmerged?: readonly SqlExpr[] | undefined
  readonly having: readonly SqlExpr[]
  /** The terms of ORDER BY, from the first; they determine the order completely. */
  readonly order: readonly OrderTerm[]
  readonly limitBy?: SqlLimitBy | undefined
  readonly limit: number | undefined
  readonly offset: number
  /**
   * The SQL expression on which a sample decides for each record. Set only when the plan has a sample and every row is
   * one record.
   */
  readonly record: SqlExpr | undefined
}

/**
 * The context of an expression: the block whose columns it reads, and the plan node to name in the error when it cannot
 * be compiled.
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
  /** True if a group may have no row for this call to aggregate: there are no group keys, or the call has a filter. */
  readonly mayBeEmpty: boolean
  /** True if the call is over a window of rows, which has its own order. */
  readonly isWindow: boolean
}

/**
 * Compiles what plain SQL cannot express. For SQLite in this process the result calls host functions, which are code of
 * Sluice. For other databases it is longer SQL with the same result for every value. All members throw CannotCompile
 * when neither is possible.
 */
export interface Host {
  /** The columns that hold undeclared fields; set when a table has several. */
  readonly attributes?: readonly AttributeMapping[]
  literal(value: Value): Cell
  /**
   * Compiles a test of a value to a condition, in plain SQL where possible; negated unless `isPositive`. The condition
   * is never NULL when something negates it.
   */
  test(c: Cell, test: ValueTest, isPositive: boolean, context: ExprContext): SqlExpr
  /**
   * Compiles a test to a search in the word index for the rows of the whole block. Returns `undefined` when the index
   * does not help.
   */
  wordTerm?(c: Cell, test: ValueTest): WordTerm | undefined
  /**
   * Compiles to a condition that holds when at least one undeclared field passes the test; negated unless `isPositive`.
   */
  anyOther(expr: AnyField, rest: RestFields, isPositive: boolean, context: ExprContext): SqlExpr
  /** Compiles a function call, a conditional expression or a bucket (a value rounded down) to a value. */
  value(expr: Expr, context: ExprContext): Cell
  /** Compiles an expression to a condition; negated unless `isPositive`. */
  condition(expr: Expr, isPositive: boolean, context: ExprContext): SqlExpr
  /** Converts a condition, which may be NULL, to a bool value. */
  truth(condition: SqlExpr): Cell
  /** Returns the value of one undeclared field, which must not be hidden from the query. */
  field(rest: RestFields, name: string): Cell
  /**
   * Returns what the column at position `index` of the undeclared fields contains in rows that have none. NULL by
   * default.
   */
  emptyRest?(index: number): SqlExpr
  /**
   * Returns ORDER BY terms for values of mixed types: numbers first, then times, then strings. Used where the database
   * itself sorts differently.
   */
  rankTerms(c: Cell, direction: OrderTerm['direction'], isGroupKey: boolean, context: ExprContext): readonly OrderTerm[]
  /**
   * Normalizes a float that serves as a key. Present for databases in which the two zeros, or two NaNs, are different
   * keys.
   */
  floatKey?(sql: SqlExpr): SqlExpr
  /**
   * Returns a sort term that is true for NaN. Present for databases that would not sort NaN after all other numbers in
   * this direction.
   */
  nanLast?(sql: SqlExpr, direction: OrderTerm['direction']): SqlExpr | undefined
  /** Converts a value of any type to a group key. Two keys are equal in SQL exactly when they denote the same group. */
  groupKey(c: Cell, context: ExprContext): Cell
  /**
   * Converts one side of a join condition to a key. Keys are equal in SQL exactly when their strings are; an empty key
   * becomes NULL.
   */
  joinKey(own: Cell, other: Cell, context: ExprContext): Cell
  /** Converts cells to one common SQL representation (`Form`); returns them unchanged if they already share one. */
  common(cells: readonly Cell[], context: ExprContext): readonly Cell[]
  /** Converts a cell to an SQL representation that can be NULL. */
  nullable(c: Cell): Cell
  stats(call: CompiledCall, context: ExprContext): Cell
  /** Facts about row counts and row positions (properties of all their values). */
  readonly counts: Facts
}

/** The clauses of a block that only returns the rows of its source, without filter, groups, order and limit. */
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
 * Thrown while compiling when the database cannot run a node. It names the node and the reason. Code in this folder
 * catches it.
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
 * Thrown while compiling when a group `''` might have to be merged with the missing values in a place where this cannot
 * be detected. Code in this folder catches it.
 */
export class NotMerged extends Error {}

export function isGrouped(block: QueryBlock): boolean {
  return block.groupBy !== undefined || block.isDistinct
}

export function isLimited(block: QueryBlock): boolean {
  return block.limit !== undefined || block.offset > 0 || block.limitBy !== undefined
}

/**
 * Returns the cell (SQL value with known facts) of a field. Rows that cannot have the field give a cell that is always
 * missing.
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
