import { oncePer } from '../../../base/index.ts'
import { columnsOf, type Aggregate, type Expr } from '../../../plan/index.ts'
import { isRepeatable, substitute } from '../../conjuncts.ts'
import type { Through } from './through.ts'

/** True if the condition reads only grouping columns, so that it keeps or drops whole groups. */
function readsOnly(conjunct: Expr, groupedBy: readonly Expr[]): boolean {
  const names = columnsOf(conjunct)
  if (names === undefined || names.size === 0) return false
  const keys = new Set(groupedBy.map((expr) => (expr.kind === 'column' ? expr.name : undefined)))
  return [...names].every((name) => keys.has(name))
}

const keysByName = oncePer(
  (node: Aggregate): ReadonlyMap<string, Expr> => new Map(node.keys.toReversed().map((key) => [key.name, key.expr])),
)

/** Pushes conditions on group keys, which are true for all rows of a group or for none. */
export const throughAggregate: Through<'aggregate'> = (conjunct, node, { functions }) => {
  const names = columnsOf(conjunct)
  if (node.keys.length === 0 || names === undefined || names.size === 0) return undefined
  const keys = keysByName(node)
  const below = substitute(conjunct, (name) => {
    const expr = keys.get(name)
    return expr !== undefined && isRepeatable(expr, functions) ? expr : undefined
  })
  return below === undefined ? undefined : [below]
}

export const throughDistinct: Through<'distinct'> = (conjunct, node) => {
  const names = columnsOf(conjunct)
  const isOnKeys = names !== undefined && names.size > 0 && [...names].every((name) => node.keys.includes(name))
  return isOnKeys && node.limit === undefined ? [conjunct] : undefined
}

export const throughSort: Through<'sort'> = (conjunct, node) => {
  const isWhole = node.offset === 0 && node.limit === undefined && node.rankName === undefined
  if (isWhole) return [conjunct]
  const names = columnsOf(conjunct)
  return node.partitionBy.length > 0 &&
    names?.has(node.rankName ?? '') !== true &&
    readsOnly(conjunct, node.partitionBy)
    ? [conjunct]
    : undefined
}

export const throughLimitBy: Through<'limit-by'> = (conjunct, node) =>
  readsOnly(conjunct, node.keys) ? [conjunct] : undefined

export const throughWindow: Through<'window'> = (conjunct, node) => {
  const names = columnsOf(conjunct)
  const readsResult = node.calls.some((call) => names?.has(call.name) === true)
  return !readsResult && readsOnly(conjunct, node.partitionBy) ? [conjunct] : undefined
}
