import { aggregate, type OrderTerm } from '../statement/ast.ts'
import { plainAggregate } from '../aggregates.ts'
import type { CompiledCall, Host } from '../block.ts'
import { anything, cell, mayBeNull, withoutEmpty, type Cell } from '../cell.ts'
import { sqliteFileHost } from './host.ts'

/** SQLite's functions for sums and means, by the name of Sluice's algorithm. */
export const ADDED: Readonly<Record<string, string>> = { sum: 'SUM', mean: 'AVG' }

/**
 * Compiles a sum or mean to SQLite's own function. An empty group gives NULL instead of NaN, so the function is used
 * only if no other expression reads the value.
 */
function addedBySqlite({ call, definition, args, filter, isWindow }: CompiledCall): Cell | undefined {
  const name = definition.kernel === undefined ? undefined : ADDED[definition.kernel]
  const [arg] = args
  if (name === undefined || isWindow || args.length !== 1 || arg?.form !== 'number') return undefined
  if (call.limit !== undefined || call.orderBy.length > 0) return undefined
  return cell(aggregate(name, [arg.sql], { filter }), 'any', anything)
}

/**
 * Returns an ORDER BY term that sorts strings by characters. Strings that look like numbers are then in the wrong
 * position, so the term must not be used before a limit.
 */
function byCharacters(c: Cell, direction: OrderTerm['direction'], isGroupKey: boolean): readonly OrderTerm[] {
  return [{ expr: withoutEmpty(c), direction, mayBeNull: mayBeNull(c), ranks: isGroupKey ? 'groups' : 'values' }]
}

/**
 * Compiles statements for people who run them in a shell, which has no host functions (code of Sluice). Sums use
 * SQLite's own arithmetic, so their last digits may differ; `notesOf` reports this.
 */
export const printedHost: Host = {
  ...sqliteFileHost,
  stats: (call, context) => plainAggregate(call, context) ?? addedBySqlite(call) ?? sqliteFileHost.stats(call, context),
}

/**
 * Compiles as `printedHost` does, and also sorts strings in plain SQL. Only for plans in which no order of strings
 * selects rows.
 */
export const unrankedHost: Host = {
  ...printedHost,
  rankTerms: (c, direction, isGroupKey, context) =>
    c.form === 'text' && c.sql.kind !== 'bound'
      ? byCharacters(c, direction, isGroupKey)
      : sqliteFileHost.rankTerms(c, direction, isGroupKey, context),
}
