import { SluiceError, isError, nearestNames, nowhere, spanOf, type Diagnostic } from '../base/index.ts'
import { bind } from '../analyze/index.ts'
import type { FunctionDefinitions } from '../functions/index.ts'
import { literal, subqueries, type Expr } from '../plan/index.ts'
import type { DataScope } from '../policy/index.ts'
import { engineDiagnostic } from './diagnostics.ts'
import { planOfText, type TextOptions } from './text.ts'

/**
 * Filters in the native dialect, by table. The caller sees only rows that match. Tables without a filter show no rows.
 */
export type ScopeTexts = Readonly<Record<string, string>>

type ScopeTools = Omit<TextOptions, 'dialect' | 'table' | 'extraFilters' | 'parameters'> & {
  readonly functions: FunctionDefinitions
}

const nothingVisible: Expr = literal(false, nowhere)

function unreadable(table: string, text: string, { message, origin }: Diagnostic): Diagnostic {
  const start = spanOf(origin)?.start
  const place = start === undefined ? undefined : start + 1
  return engineDiagnostic('unreadable-scope', { table, text, message, place }, nowhere)
}

function predicateOf(table: string, text: unknown, tools: ScopeTools): Expr {
  if (typeof text !== 'string') throw new SluiceError([engineDiagnostic('not-a-scope', { table }, nowhere)])
  const { catalog, functions } = tools
  try {
    const { plan } = planOfText('*', { ...tools, dialect: 'native', table, extraFilters: [text] })
    const { plan: bound, diagnostics } = bind(plan, { catalog, functions, table, dialect: 'native' })
    const errors = diagnostics.filter(isError)
    if (errors.length > 0) throw new SluiceError(errors)
    if (bound.kind === 'filter' && bound.input.kind === 'scan' && subqueries(bound).length === 0) return bound.predicate
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    throw new SluiceError(error.diagnostics.map((diagnostic) => unreadable(table, text, diagnostic)))
  }
  throw new SluiceError([engineDiagnostic('scope-with-query', { table, text }, nowhere)])
}

/**
 * Compiles a scope. Returns a function unchanged. Anything else must consist of valid filters of known tables;
 * otherwise throws SluiceError, so that a mistake never reveals rows.
 */
export function scopeOf(scope: unknown, tools: ScopeTools): DataScope | undefined {
  if (scope === undefined) return undefined
  if (typeof scope === 'function') return scope as DataScope
  if (typeof scope !== 'object' || scope === null || Array.isArray(scope))
    throw new SluiceError([engineDiagnostic('not-a-scope', { table: undefined }, nowhere)])
  const known = [...tools.catalog.tables.keys()]
  const predicates = new Map(
    Object.entries(scope).map(([table, text]) => {
      if (tools.catalog.tables.has(table)) return [table, predicateOf(table, text, tools)]
      const near = nearestNames(table, known)
      throw new SluiceError([engineDiagnostic('unknown-scope-table', { table, near }, nowhere)])
    }),
  )
  return (table) => predicates.get(table) ?? nothingVisible
}
