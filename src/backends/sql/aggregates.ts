import type { StatsKernel } from '../../functions/index.ts'
import type { AggregateCall } from '../../plan/index.ts'
import { aggregate, isNotNull, sqlCall, sqlOr, type SqlExpr } from './statement/ast.ts'
import { CannotCompile, type CompiledCall, type ExprContext } from './block.ts'
import { anything, cell, present, presentOrMissing, type Cell, type Facts } from './cell.ts'
import type { CompileContext } from './context.ts'
import { predicate, valueCell } from './expr.ts'
import { groupKeyCell } from './order.ts'
import { isNotEmptyCell } from './conditions/tests-on-values.ts'

/**
 * Compiles an aggregate call to plain SQL, without host functions (code of Sluice that SQLite calls). Returns
 * `undefined` if plain SQL cannot give the exact result for the stored values.
 */
export type PlainAggregate = (
  args: readonly Cell[],
  filter: SqlExpr | undefined,
  context: ExprContext,
) => Cell | undefined

const STAR: SqlExpr = { kind: 'constant', text: '*' }

export function countCell(args: readonly SqlExpr[], filter: SqlExpr | undefined, isDistinct = false): Cell {
  return cell(aggregate('COUNT', args, { filter, isDistinct }), 'number', present)
}

export function count(args: readonly Cell[], filter: SqlExpr | undefined): Cell {
  if (args.length === 0) return countCell([STAR], filter)
  const [first] = args
  if (args.length === 1 && first?.facts.hasEmpty === false) return countCell([first.sql], filter)
  const someValue = sqlOr(
    args.map((arg) => (arg.facts.hasMissing || arg.facts.hasEmpty ? isNotEmptyCell(arg) : isNotNull(arg.sql))),
  )
  return countCell(
    [
      {
        kind: 'case',
        branches: [{ when: someValue, value: { kind: 'constant', text: '1' } }],
        otherwise: { kind: 'constant', text: 'NULL' },
      },
    ],
    filter,
  )
}

export function countUniq(args: readonly Cell[], filter: SqlExpr | undefined, context: ExprContext): Cell | undefined {
  const [arg] = args
  return args.length === 1 && arg !== undefined ? countCell([groupKeyCell(arg, context).sql], filter, true) : undefined
}

export function extreme(name: 'MIN' | 'MAX'): PlainAggregate {
  return (args, filter, context) => {
    const [arg] = args
    if (args.length !== 1 || arg === undefined) return undefined
    const isPlainText = arg.form === 'text' && arg.facts.ranked !== 'many' && arg.facts.ranked.length === 0
    if (arg.form !== 'number' && arg.form !== 'time' && !isPlainText) return undefined
    const key = groupKeyCell(arg, context)
    const facts: Facts = arg.form === 'text' ? { ...key.facts, hasMissing: true } : presentOrMissing
    return cell(aggregate(name, [key.sql], { filter }), arg.form, facts)
  }
}

/**
 * Returns a compiler for an exact sum or mean. Plain SQL adds whole numbers as one 64-bit sum, and splits each other
 * number exactly into a whole part and two parts of 36 fraction bits. A host function combines the three sums of each
 * group.
 */
function exactSum(name: 'host-exact-sum' | 'host-exact-mean'): PlainAggregate {
  return (args, filter) => {
    const [arg] = args
    if (args.length !== 1 || arg?.form !== 'number' || arg.stored === undefined) return undefined
    const { base } = arg.stored
    if (arg.facts.sums === undefined || base.known.hasVeryManyRows) return undefined
    const isWhole = arg.facts.sums === 'whole'
    const parts = isWhole
      ? [arg.sql]
      : ['whole-part', 'first-limb', 'second-limb'].map((part) => sqlCall(part, arg.sql))
    const sums = parts.map((part) => aggregate('SUM', [part], { filter }))
    const noLimbs = isWhole ? [{ kind: 'constant', text: '0' } as const, { kind: 'constant', text: '0' } as const] : []
    return cell(sqlCall(name, aggregate('COUNT', [arg.sql], { filter }), ...sums, ...noLimbs), 'any', anything)
  }
}

const plainAggregates: { readonly [K in StatsKernel]?: PlainAggregate } = {
  present: count,
  distinct: countUniq,
  least: extreme('MIN'),
  greatest: extreme('MAX'),
  sum: exactSum('host-exact-sum'),
  mean: exactSum('host-exact-mean'),
}

/**
 * Compiles an aggregate call to plain SQL, without host functions. Returns `undefined` if plain SQL cannot give the
 * exact result for the stored values.
 */
export function plainAggregate(
  { call, definition, args, filter }: CompiledCall,
  context: ExprContext,
): Cell | undefined {
  if (definition.kernel === undefined || call.limit !== undefined || call.orderBy.length > 0) return undefined
  return plainAggregates[definition.kernel]?.(args, filter, context)
}

/** The context of an aggregate call: the block whose columns the call reads, and how the block forms groups. */
export interface AggregateContext extends ExprContext {
  readonly context: CompileContext
  readonly rangeSeconds: number | undefined
  readonly mayBeEmpty: boolean
  readonly isWindow?: boolean
}

/** Compiles an aggregate call to the cell of its value in each group. Throws CannotCompile. */
export function aggregateCell(call: AggregateCall, where: AggregateContext): Cell {
  const { node, context, rangeSeconds, mayBeEmpty, isWindow = false } = where
  const definition = context.functions.stats.get(call.fn)
  if (definition === undefined) throw new CannotCompile(node, `there is no stats function \`${call.fn}\``)
  const filter = call.filter === undefined ? undefined : predicate(call.filter, where, true)
  const args = call.args.map((arg) => valueCell(arg, where))
  const keys = call.orderBy.map((key) => valueCell(key.expr, where))
  return where.block.host.stats({ call, definition, args, keys, filter, rangeSeconds, mayBeEmpty, isWindow }, where)
}
