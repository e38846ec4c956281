import { isError, nowhere, type Diagnostic, type JsonPath } from '../../base/index.ts'
import { bind } from '../../analyze/index.ts'
import type { FunctionDefinitions } from '../../functions/index.ts'
import { lowerFilterGroup, type JsonLowering } from '../../lang/json/index.ts'
import {
  fieldPattern,
  literal,
  mapExprChildren,
  plainName,
  wholeScan,
  type Catalog,
  type Expr,
  type PolicyDomain,
  type TableDefinition,
} from '../../plan/index.ts'
import { hasContent, type DataScope as WireScope, type FilterGroup } from '../../wire/index.ts'

/** Tools for compiling a scope. */
export interface ScopeTools {
  readonly catalog: Catalog
  readonly functions: FunctionDefinitions
}

/** Rows of one table that a scope allows: everything, nothing, or those that pass a bound predicate. */
export type Allowance = 'everything' | 'nothing' | Expr

interface Found {
  readonly group: FilterGroup
  readonly path: JsonPath
}

/**
 * Returns the filter group of a scope for one kind of data: `simple` if it has conditions, else the member of
 * `advanced`. Clusters use the member of workloads, since they have none.
 */
function groupOf(scope: WireScope, domain: PolicyDomain): Found | undefined {
  if (scope.simple !== undefined && hasContent(scope.simple)) return { group: scope.simple, path: ['simple'] }
  const kind = domain === 'clusters' ? 'workloads' : domain
  const group = scope.advanced?.[kind]
  return group === undefined ? undefined : { group, path: ['advanced', kind] }
}

/** Maps field names in policies to the names that some tables use for the same field. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['environment', 'env'],
  ['service', 'workload'],
])

function named(expr: Expr, table: TableDefinition): Expr {
  if (expr.kind !== 'field-filter') return mapExprChildren(expr, (child) => named(child, table))
  const name = expr.field === undefined ? undefined : plainName(expr.field)
  const other = name === undefined ? undefined : otherNames.get(name)
  const isDeclared = (field: string): boolean =>
    table.aliases.has(field) || table.schema.fields.some((declared) => declared.name === field)
  if (name === undefined || other === undefined || isDeclared(name) || !isDeclared(other)) return expr
  return { ...expr, field: fieldPattern(other) }
}

function predicateOf({ group, path }: Found, table: TableDefinition, tools: ScopeTools) {
  const { catalog, functions } = tools
  const diagnostics: Diagnostic[] = []
  const scan = wholeScan(table)
  const lowering: JsonLowering = {
    functions: {
      stats: (name) => functions.stats.get(name)?.name,
      scalar: (name) => functions.scalar.get(name)?.name,
      all: () => functions.scalar.names(),
    },
    source: () => scan,
    diagnostics,
  }
  const predicate = named(lowerFilterGroup(group, path, lowering), table)
  const bound = bind(
    { kind: 'filter', input: scan, predicate, origin: nowhere },
    { catalog, functions, table: table.name, dialect: 'native' },
  )
  diagnostics.push(...bound.diagnostics)
  return { predicate: bound.plan.kind === 'filter' ? bound.plan.predicate : undefined, diagnostics }
}

/** Reports every part of a scope that cannot be enforced on some table, each problem once. */
export function scopeFaults(scope: WireScope, tools: ScopeTools): readonly Diagnostic[] {
  const faults = new Map<string, Diagnostic>()
  for (const table of tools.catalog.tables.values()) {
    const found = groupOf(scope, table.domain)
    if (found === undefined || found.group.disabled === true) continue
    for (const diagnostic of predicateOf(found, table, tools).diagnostics) {
      if (!isError(diagnostic)) continue
      const key = JSON.stringify([diagnostic.code, diagnostic.message, diagnostic.origin], (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      )
      faults.set(key, diagnostic)
    }
  }
  return [...faults.values()]
}

/** Returns the rows of a table that a decoded scope allows. A part that cannot be decoded allows no rows. */
export function allowanceOf(scope: WireScope, table: TableDefinition, tools: ScopeTools): Allowance {
  const found = groupOf(scope, table.domain)
  if (found === undefined) return 'everything'
  if (found.group.disabled === true) return 'nothing'
  if (!hasContent(found.group)) return 'everything'
  const { predicate, diagnostics } = predicateOf(found, table, tools)
  if (predicate === undefined || diagnostics.some(isError)) return 'nothing'
  return predicate.kind === 'literal' && predicate.value === true ? 'everything' : predicate
}

/** Guard of a caller who may see no rows. */
export const nothingVisible: Expr = literal(false, nowhere)
