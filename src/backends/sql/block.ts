import type { WordQuery } from '../../store/sqlite/index.ts'
import { restKey } from '../../store/sqlite/index.ts'
import { matchesField, type FieldPattern, type LogicalPlan } from '../../plan/index.ts'
import { bound, sqlCall, type OrderTerm, type Source, type SqlExpr } from './ast.ts'
import type { Base } from './base.ts'
import { cell, missingCell, type Cell } from './cell.ts'

/** A word question that every row must answer, and what to test where the index cannot be used for it. */
export interface WordTerm {
  readonly query: WordQuery
  /** The whole test on the row itself. */
  readonly test: SqlExpr
  /** Whether the index alone answers; else `test` follows it. */
  readonly isExact: boolean
}

/** The undeclared fields of whole rows: their text, without the names that are hidden. */
export interface Rest {
  readonly sql: SqlExpr
  readonly hidden: readonly FieldPattern[]
}

/**
 * A SELECT in the making: what a subtree denotes, with room for the nodes above it. Immutable. A node that no longer
 * fits makes it the source of the next one (`nest`).
 */
export interface Block {
  readonly source: { readonly kind: 'base'; readonly base: Base } | { readonly kind: 'derived'; readonly from: Source }
  readonly words: readonly WordTerm[]
  readonly where: readonly SqlExpr[]
  readonly fields: ReadonlyMap<string, Cell>
  readonly rest: Rest | undefined
  readonly groupBy: readonly SqlExpr[] | undefined
  readonly isDistinct: boolean
  readonly having: readonly SqlExpr[]
  /** Fixes the sequence completely. */
  readonly order: readonly OrderTerm[]
  readonly limit: number | undefined
  readonly offset: number
  /** What the records that rows come from are sampled by, where the plan has a sample and every row is one. */
  readonly record: SqlExpr | undefined
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

export function isGrouped(block: Block): boolean {
  return block.groupBy !== undefined || block.isDistinct
}

export function isLimited(block: Block): boolean {
  return block.limit !== undefined || block.offset > 0
}

/** The cell of a name; missing when the rows cannot have it. */
export function fieldCell(block: Block, name: string): Cell {
  const found = block.fields.get(name)
  if (found !== undefined) return found
  const { rest } = block
  if (rest === undefined || rest.hidden.some((pattern) => matchesField(pattern, name))) return missingCell
  return cell(sqlCall('host-field', rest.sql, bound(restKey(name))), 'any')
}

export function withField(block: Block, name: string, c: Cell): Block {
  const fields = new Map(block.fields)
  fields.set(name, c)
  return { ...block, fields, rest: hide(block.rest, [{ parts: [name] }]) }
}

export function hide(rest: Rest | undefined, patterns: readonly FieldPattern[]): Rest | undefined {
  return rest === undefined ? undefined : { ...rest, hidden: [...rest.hidden, ...patterns] }
}
