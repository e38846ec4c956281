import { aggregate, type OrderTerm } from '../statement/ast.ts'
import { plainAggregate } from '../aggregates.ts'
import type { CompiledCall, Host } from '../block.ts'
import { anything, cell, mayBeNull, withoutEmpty, type Cell } from '../cell.ts'
import { sqliteFileHost } from './host.ts'

/** The SQLite functions of sums and means, by the stats kernel. */
export const ADDED: Readonly<Record<string, string>> = { sum: 'SUM', mean: 'AVG' }

/**
 * Compiles a sum or mean to SQLite's own function. It gives NULL for an empty group instead of NaN, so it is used only
 * where no other expression reads the value.
 */
function addedBySqlite({ call, definition, args, filter, isWindow }: CompiledCall): Cell | undefined {
  const name = definition.kernel === undefined ? undefined : ADDED[definition.kernel]
  const [arg] = args
  if (name === undefined || isWindow || args.length !== 1 || arg?.form !== 'number') return undefined
  if (call.limit !== undefined || call.orderBy.length > 0) return undefined
  return cell(aggregate(name, [arg.sql], { filter }), 'any', anything)
}

/** Orders strings by characters, which is allowed only where no limit follows. */
function byCharacters(c: Cell, direction: OrderTerm['direction'], isGroupKey: boolean): readonly OrderTerm[] {
  return [{ expr: withoutEmpty(c), direction, mayBeNull: mayBeNull(c), ranks: isGroupKey ? 'groups' : 'values' }]
}

/**
 * The host for statements that people run in a shell, where host functions do not exist. Sums use SQLite's own
 * arithmetic, whose last digits may differ; `notesOf` says so.
 */
export const printedHost: Host = {
  ...sqliteFileHost,
  stats: (call, place) => plainAggregate(call, place) ?? addedBySqlite(call) ?? sqliteFileHost.stats(call, place),
}

/** Like `printedHost`, for plans in which no order of strings selects rows, so that the order is plain SQL too. */
export const unrankedHost: Host = {
  ...printedHost,
  rankTerms: (c, direction, isGroupKey, place) =>
    c.form === 'text' && c.sql.kind !== 'bound'
      ? byCharacters(c, direction, isGroupKey)
      : sqliteFileHost.rankTerms(c, direction, isGroupKey, place),
}
