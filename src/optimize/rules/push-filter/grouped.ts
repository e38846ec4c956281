import { oncePer } from '../../../base/index.ts'
import { columnsOf, type Aggregate, type Expr } from '../../../plan/index.ts'
import { isRepeatable, substitute } from '../../conjuncts.ts'
import type { Through } from './through.ts'

/** True if the condition reads only grouping columns, so that it keeps or drops whole groups. */
function readsOnly(part: Expr, groupedBy: readonly Expr[]): boolean {
  const names = columnsOf(part)
  if (names === undefined || names.size === 0) return false
  const keys = new Set(groupedBy.map((expr) => (expr.kind === 'column' ? expr.name : undefined)))
  return [...names].every((name) => keys.has(name))
}

const keysByName = oncePer(
  (node: Aggregate): ReadonlyMap<string, Expr> => new Map(node.keys.toReversed().map((key) => [key.name, key.expr])),
)

/** Pushes conditions on group keys, which are true for all rows of a group or for none. */
export const throughAggregate: Through<'aggregate'> = (part, node, { functions }) => {
  const names = columnsOf(part)
  if (node.keys.length === 0 || names === undefined || names.size === 0) return undefined
  const keys = keysByName(node)
  const below = substitute(part, (name) => {
    const expr = keys.get(name)
    return expr !== undefined && isRepeatable(expr, functions) ? expr : undefined
  })
  return below === undefined ? undefined : [below]
}

export const throughDistinct: Through<'distinct'> = (part, node) => {
  const names = columnsOf(part)
  const isOnKeys = names !== undefined && names.size > 0 && [...names].every((name) => node.keys.includes(name))
  return isOnKeys && node.limit === undefined ? [part] : undefined
}

export const throughSort: Through<'sort'> = (part, node) => {
  const isWhole = node.offset === 0 && node.limit === undefined && node.rankName === undefined
  if (isWhole) return [part]
  const names = columnsOf(part)
  return node.partitionBy.length > 0 && names?.has(node.rankName ?? '') !== true && readsOnly(part, node.partitionBy)
    ? [part]
    : undefined
}

export const throughLimitBy: Through<'limit-by'> = (part, node) => (readsOnly(part, node.keys) ? [part] : undefined)

export const throughWindow: Through<'window'> = (part, node) => {
  const names = columnsOf(part)
  const readsResult = node.calls.some((call) => names?.has(call.name) === true)
  return !readsResult && readsOnly(part, node.partitionBy) ? [part] : undefined
}
