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

/** A word question that every row must answer, and what to test where the index cannot be used for it. */
export interface WordTerm {
  readonly query: WordQuery
  /** The whole test on the row itself. */
  readonly test: SqlExpr
  /** Whether the index alone answers; else `test` follows it. */
  readonly isExact: boolean
}

/** The undeclared fields of whole rows, as the host keeps them, without the names that are hidden. */
export interface Rest {
  readonly parts: readonly SqlExpr[]
  readonly hidden: readonly FieldPattern[]
}

/**
 * A SELECT in the making: what a subtree denotes, with room for the nodes above it. Immutable. A node that no longer
 * fits makes it the source of the next one (`nest`).
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
  /** Of groups: which of them are to be one with that of missing values, so that the answer holds only if there are none. */
  readonly unmerged?: readonly SqlExpr[] | undefined
  readonly having: readonly SqlExpr[]
  /** Fixes the sequence completely. */
  readonly order: readonly OrderTerm[]
  readonly limitBy?: SqlLimitBy | undefined
  readonly limit: number | undefined
  readonly offset: number
  /** What the records that rows come from are sampled by, where the plan has a sample and every row is one. */
  readonly record: SqlExpr | undefined
}

/** Where an expression stands: whose columns it reads, and which node to name when it cannot be compiled. */
export interface Place {
  readonly block: Block
  readonly node: LogicalPlan
}

/** A stats call with its arguments compiled. */
export interface CompiledCall {
  readonly call: AggregateCall
  readonly definition: StatsFunction
  readonly args: readonly Cell[]
  readonly keys: readonly Cell[]
  readonly filter: SqlExpr | undefined
  readonly rangeSeconds: number | undefined
  /** Whether a group may be without any row for the call: no keys, or a filter of its own. */
  readonly mayBeEmpty: boolean
  /** Over a window, which brings its own order. */
  readonly isWindow: boolean
}

/**
 * What a statement needs beyond plain SQL: code of ours where the database runs inside this process, and elsewhere SQL
 * that gives the same for every value. All throw CannotCompile where there is neither.
 */
export interface Host {
  /** The columns that undeclared fields come from, where there are several. */
  readonly attributes?: readonly AttributeMapping[]
  literal(value: Value): Cell
  /** The test as a condition, in plain SQL as far as it goes. Total where `isPositive` is wanted under a NOT. */
  test(c: Cell, test: ValueTest, isPositive: boolean, place: Place): SqlExpr
  /** The test as a question to an index of words that drives the whole block. */
  wordTerm?(c: Cell, test: ValueTest): WordTerm | undefined
  /** Whether some undeclared field passes. */
  anyOther(expr: AnyField, rest: Rest, isPositive: boolean, place: Place): SqlExpr
  /** A call, a choice or a bucket. */
  value(expr: Expr, place: Place): Cell
  /** As a condition. */
  condition(expr: Expr, isPositive: boolean, place: Place): SqlExpr
  /** A bool value of a condition, which may be NULL. */
  truth(condition: SqlExpr): Cell
  /** An undeclared field, which is not hidden. */
  field(rest: Rest, name: string): Cell
  /** What column `part` of the undeclared fields is in rows that have none of them; NULL unless given. */
  emptyRest?(part: number): SqlExpr
  /** The order of values that rank by what they are, when plain SQL does not order them so. */
  rankTerms(c: Cell, direction: OrderTerm['direction'], isGroupKey: boolean, place: Place): readonly OrderTerm[]
  /** A float as a key, where SQL takes its two zeros or its NaNs for different ones. */
  floatKey?(sql: SqlExpr): SqlExpr
  /** Whether a float is NaN, where SQL does not put that behind all other numbers in this direction. */
  nanLast?(sql: SqlExpr, direction: OrderTerm['direction']): SqlExpr | undefined
  /** A key that is equal in SQL exactly when it is the same group, for values of any kind. */
  groupKey(c: Cell, place: Place): Cell
  /** Keys that are equal in SQL exactly when their texts are; empty ones are NULL. */
  joinKey(own: Cell, other: Cell, place: Place): Cell
  /** The cells in one form: the first one's where they all have it. */
  common(cells: readonly Cell[], place: Place): readonly Cell[]
  /** The cell in a form that can be missing. */
  nullable(c: Cell): Cell
  stats(call: CompiledCall, place: Place): Cell
  /** What is known of numbers of rows, and of their places. */
  readonly counts: Facts
}

/** What a block has that only gives its source's rows. */
export const bareBlock = {
  words: [],
  where: [],
  groupBy: undefined,
  isDistinct: false,
  having: [],
  limit: undefined,
  offset: 0,
} as const satisfies Partial<Block>

/** Thrown while compiling: the node that stops it, and why. Never leaves the module. */
export class CannotCompile extends Error {
  readonly node: LogicalPlan
  readonly reason: string

  constructor(node: LogicalPlan, reason: string) {
    super(reason)
    this.node = node
    this.reason = reason
  }
}

/** Thrown while compiling: groups that may have to be merged are not the answer itself. Never leaves the module. */
export class NotMerged extends Error {}

export function isGrouped(block: Block): boolean {
  return block.groupBy !== undefined || block.isDistinct
}

export function isLimited(block: Block): boolean {
  return block.limit !== undefined || block.offset > 0 || block.limitBy !== undefined
}

/** The cell of a name; missing when the rows cannot have it. */
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
