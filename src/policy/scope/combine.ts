import { SluiceError, nowhere } from '../../base/index.ts'
import { disjunction, type Expr } from '../../plan/index.ts'
import { dataScope, decode, type DataScope as WireScope } from '../../wire/index.ts'
import type { DataScope } from '../apply-scope.ts'
import { allowanceOf, nothingVisible, type Allowance, type ScopeTools } from './allowance.ts'
import { checkScopeShape } from './shape.ts'

/** A stored scope as it can be enforced; `undefined` for one that is not understood. */
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
 * What several policies together let through: the union of what each allows; without any policy, nothing. A scope that
 * is not understood allows nothing. Takes scopes as they are stored; the result gives one guard per table, always the
 * same object. `undefined` when nothing is restricted anywhere.
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
  // A table that no catalog names holds nothing that a policy could have allowed.
  return (table) => (guards.has(table) ? guards.get(table) : nothingVisible)
}
