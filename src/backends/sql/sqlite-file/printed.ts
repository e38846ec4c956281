import { aggregate, type OrderTerm } from '../statement/ast.ts'
import { plainAggregate } from '../aggregates.ts'
import type { CompiledCall, Host } from '../block.ts'
import { anything, cell, mayBeNull, withoutEmpty, type Cell } from '../cell.ts'
import { sqliteFileHost } from './host.ts'

/** Sums and means that SQLite adds itself, by the kernels of the stats functions. */
export const ADDED: Readonly<Record<string, string>> = { sum: 'SUM', mean: 'AVG' }

/** Where anything but the answer looks at it, host code does: an empty group has NULL here, not NaN. */
function addedBySqlite({ call, definition, args, filter, isWindow }: CompiledCall): Cell | undefined {
  const name = definition.kernel === undefined ? undefined : ADDED[definition.kernel]
  const [arg] = args
  if (name === undefined || isWindow || args.length !== 1 || arg?.form !== 'number') return undefined
  if (call.limit !== undefined || call.orderBy.length > 0) return undefined
  return cell(aggregate(name, [arg.sql], { filter }), 'any', anything)
}

/** Strings by their characters, which decides no more than the sequence of rows unless these are cut. */
function byCharacters(c: Cell, direction: OrderTerm['direction'], isGroupKey: boolean): readonly OrderTerm[] {
  return [{ expr: withoutEmpty(c), direction, mayBeNull: mayBeNull(c), ranks: isGroupKey ? 'groups' : 'values' }]
}

/**
 * The host of statements that people paste into a shell, which has no host functions. Sums are in plain SQL, although their last
 * digits may differ, which `notesOf` tells.
 */
export const printedHost: Host = {
  ...sqliteFileHost,
  stats: (call, place) => plainAggregate(call, place) ?? addedBySqlite(call) ?? sqliteFileHost.stats(call, place),
}

/** As `printedHost`, for plans whose rows no order of strings selects: the order is in plain SQL too. */
export const unrankedHost: Host = {
  ...printedHost,
  rankTerms: (c, direction, isGroupKey, place) =>
    c.form === 'text' && c.sql.kind !== 'bound'
      ? byCharacters(c, direction, isGroupKey)
      : sqliteFileHost.rankTerms(c, direction, isGroupKey, place),
}
