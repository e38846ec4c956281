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

/** A word search that every row must match, and the test to use where the word index cannot help. */
export interface WordTerm {
  readonly query: WordQuery
  /** The complete test on the row itself. */
  readonly test: SqlExpr
  /** Whether the index alone decides; otherwise `test` is evaluated too. */
  readonly isExact: boolean
}

/**
 * The undeclared fields of a row, stored together in one expression, and the patterns of names among them that are
 * hidden.
 */
export interface Rest {
  readonly parts: readonly SqlExpr[]
  readonly hidden: readonly FieldPattern[]
}

/**
 * A SELECT under construction: the meaning of a subtree, to which the nodes above add clauses. It is immutable. A node
 * that no longer fits makes it the source of a new block (`nest`).
 */
export interface Block {
  readonly host: Host
  readonly source: { readonly kind: 'base'; readonly base: Base } | { readonly kind: 'derived'; readonly from: Source }
  readonly words: readonly WordTerm[]
  readonly where: readonly SqlExpr[]
  readonly fields: ReadonlyMap<string, Cell>
  readonly rest: Rest | undefined
  readonly groupBy: readonly SqlExpr[] | undefined
  readonly isDistinct: boolean
  /**
   * Conditions that find groups with the key `''`. They must be merged with the group of missing values, so the answer
   * is right only when no such group exists.
   */
  readonly unmerged?: readonly SqlExpr[] | undefined
  readonly having: readonly SqlExpr[]
  /** The complete order of the rows. */
  readonly order: readonly OrderTerm[]
  readonly limitBy?: SqlLimitBy | undefined
  readonly limit: number | undefined
  readonly offset: number
  /** The expression by which records are sampled, when the plan has a sample and every row is one record. */
  readonly record: SqlExpr | undefined
}

/** The place of an expression: the block whose columns it reads, and the node to name when it cannot be compiled. */
export interface Place {
  readonly block: Block
  readonly node: LogicalPlan
}

/** A stats call with compiled arguments. */
export interface CompiledCall {
  readonly call: AggregateCall
  readonly definition: StatsFunction
  readonly args: readonly Cell[]
  readonly keys: readonly Cell[]
  readonly filter: SqlExpr | undefined
  readonly rangeSeconds: number | undefined
  /** Whether a group may have no row for this call: there are no keys, or the call has a filter. */
  readonly mayBeEmpty: boolean
  /** Whether the call is over a window, which has an order of its own. */
  readonly isWindow: boolean
}

/**
 * Compiles what plain SQL cannot express. For SQLite in this process the result calls host functions, which are code of
 * Sluice; for other databases it is longer SQL with the same result for every value. All members throw CannotCompile
 * when neither is possible.
 */
export interface Host {
  /** The columns that hold undeclared fields, when there are several. */
  readonly attributes?: readonly AttributeMapping[]
  literal(value: Value): Cell
  /**
   * Compiles a test to a condition, in plain SQL where possible. The condition is never NULL when it will be negated.
   */
  test(c: Cell, test: ValueTest, isPositive: boolean, place: Place): SqlExpr
  /** Compiles a test to a word-index search that can select the rows of the whole block. */
  wordTerm?(c: Cell, test: ValueTest): WordTerm | undefined
  /** Compiles whether at least one undeclared field passes. */
  anyOther(expr: AnyField, rest: Rest, isPositive: boolean, place: Place): SqlExpr
  /** Compiles a call, a choice or a bucket to a value. */
  value(expr: Expr, place: Place): Cell
  /** Compiles an expression to a condition. */
  condition(expr: Expr, isPositive: boolean, place: Place): SqlExpr
  /** Makes a bool value of a condition, which may be NULL. */
  truth(condition: SqlExpr): Cell
  /** Reads an undeclared field that is not hidden. */
  field(rest: Rest, name: string): Cell
  /** Returns the value of column `part` of the undeclared fields in rows without any; NULL by default. */
  emptyRest?(part: number): SqlExpr
  /**
   * Returns ORDER BY terms for values of mixed types: numbers first, then times, then texts. Used where the database
   * does not sort this way.
   */
  rankTerms(c: Cell, direction: OrderTerm['direction'], isGroupKey: boolean, place: Place): readonly OrderTerm[]
  /** Normalizes a float used as a key, for databases in which two zeros or two NaNs differ. */
  floatKey?(sql: SqlExpr): SqlExpr
  /** Returns whether a float is NaN, for databases that do not sort NaN behind all other numbers in this direction. */
  nanLast?(sql: SqlExpr, direction: OrderTerm['direction']): SqlExpr | undefined
  /** Returns a group key that is equal in SQL exactly when the groups are the same, for values of any type. */
  groupKey(c: Cell, place: Place): Cell
  /** Returns join keys that are equal in SQL exactly when their texts are; empty keys become NULL. */
  joinKey(own: Cell, other: Cell, place: Place): Cell
  /** Converts cells to one common SQL representation (`Form`); when all have the same, they stay. */
  common(cells: readonly Cell[], place: Place): readonly Cell[]
  /** Converts a cell to a representation that can be NULL. */
  nullable(c: Cell): Cell
  stats(call: CompiledCall, place: Place): Cell
  /** The facts of row counts and row positions. */
  readonly counts: Facts
}

/** The clauses of a block that only returns the rows of its source. */
export const bareBlock = {
  words: [],
  where: [],
  groupBy: undefined,
  isDistinct: false,
  having: [],
  limit: undefined,
  offset: 0,
} as const satisfies Partial<Block>

/** Thrown while compiling: the node that cannot be compiled, and the reason. It is caught inside this folder. */
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
 * Thrown while compiling when groups may need merging but are not the answer itself. It is caught inside this folder.
 */
export class NotMerged extends Error {}

export function isGrouped(block: Block): boolean {
  return block.groupBy !== undefined || block.isDistinct
}

export function isLimited(block: Block): boolean {
  return block.limit !== undefined || block.offset > 0 || block.limitBy !== undefined
}

/** Returns the cell of a field; a missing value when the rows cannot have the field. */
export function fieldCell(block: Block, name: string): Cell {
  const found = block.fields.get(name)
  if (found !== undefined) return found
  const { rest } = block
  if (rest === undefined || rest.hidden.some((pattern) => matchesField(pattern, name))) return missingCell
  return block.host.field(rest, name)
}

export function withField(block: Block, name: string, c: Cell): Block {
  const fields = new Map(block.fields)
  fields.set(name, c)
  return { ...block, fields, rest: hide(block.rest, [{ parts: [name] }]) }
}

export function hide(rest: Rest | undefined, patterns: readonly FieldPattern[]): Rest | undefined {
  return rest === undefined ? undefined : { ...rest, hidden: [...rest.hidden, ...patterns] }
}
