import { SluiceError, nowhere } from '../../base/index.ts'
import { disjunction, type Expr } from '../../plan/index.ts'
import { dataScope, decode, type DataScope as WireScope } from '../../wire/index.ts'
import type { DataScope } from '../apply-scope.ts'
import { allowanceOf, nothingVisible, type Allowance, type ScopeTools } from './allowance.ts'
import { checkScopeShape } from './shape.ts'

/** Decodes a stored scope; returns `undefined` if its form is not valid. */
function understood(stored: unknown): WireScope | undefined {
  if (stored === undefined || stored === null) return {}
  try {
    const scope = decode(dataScope, stored)
    return checkScopeShape(stored, []).length > 0 ? undefined : scope
  } catch (error) {
    if (error instanceof SluiceError) return undefined
    throw error
  }
}

/**
 * Combines the stored scopes of several policies: a row is visible if at least one scope allows it; without policies,
 * no row is. A scope that cannot be decoded allows nothing. The returned function gives the same guard object for a
 * table at each call. Returns `undefined` if nothing is restricted.
 */
export function combineScopes(stored: readonly unknown[], tools: ScopeTools): DataScope | undefined {
  const scopes = stored.map(understood)
  const guards = new Map<string, Expr | undefined>()
  for (const table of tools.catalog.tables.values()) {
    const allowances = scopes.map((scope): Allowance =>
      scope === undefined ? 'nothing' : allowanceOf(scope, table, tools),
    )
    if (allowances.includes('everything')) {
      guards.set(table.name, undefined)
      continue
    }
    const predicates = allowances.filter((each) => typeof each === 'object')
    guards.set(table.name, predicates.length === 0 ? nothingVisible : disjunction(predicates, nowhere))
  }
  if ([...guards.values()].every((guard) => guard === undefined)) return undefined
  // No policy can allow rows of a table that is not in the catalog.
  return (table) => (guards.has(table) ? guards.get(table) : nothingVisible)
}
