import {
  always,
  invariant,
  nearestNames,
  throwIfErrors,
  type Diagnostic,
  type Interval,
  type Severity,
  regexpFault,
} from '../base/index.ts'
import type { Schema } from '../data/index.ts'
import type { FunctionDefinitions } from '../functions/index.ts'
import {
  inputs,
  rewriteUp,
  schemaOf,
  type Catalog,
  type Dialect,
  type LogicalPlan,
  type Scan,
  type TableDefinition,
} from '../plan/index.ts'
import type { BindTools } from './bind-expr.ts'
import { bindNode } from './bind-node.ts'
import { analyzeDiagnostic } from './diagnostics.ts'
import { scopeAbove, tableScope, type Scope } from './scope.ts'
import { keepStreamNames } from './stream-name.ts'
import { impliedRange } from './time-hull.ts'

export interface BindOptions {
  readonly catalog: Catalog
  readonly functions: FunctionDefinitions
  /** The table of scans that name none. Default: the default table of the catalog. */
  readonly table?: string | undefined
  /** Strictness of names: `native` refuses a column that closed rows cannot have, `logsql` warns. */
  readonly dialect?: Dialect | undefined
}

export interface BoundPlan {
  /** The bound plan. It has no unbound expressions unless a diagnostic is an error. */
  readonly plan: LogicalPlan
  readonly schema: Schema
  /** Time range of the rows that the filters imply; `rate()` divides by it. */
  readonly timeRange: Interval
  readonly diagnostics: readonly Diagnostic[]
}

const severities: { readonly [D in Dialect]: Severity } = { native: 'error', logsql: 'warning' }

/** Sets the table of a scan. A table without times has no time range, whatever the request says. */
function bindScan(scan: Scan, table: TableDefinition): Scan {
  const range = table.timeField === undefined ? always : scan.range
  return scan.table === table.name && scan.tableSchema === table.schema && scan.range === range
    ? scan
    : { ...scan, table: table.name, tableSchema: table.schema, range }
}

/**
 * Resolves names, functions and match modes of a plan and types every column. Reports instead of throwing; a faulty
 * plan is bound as far as possible.
 */
export function bind(plan: LogicalPlan, options: BindOptions): BoundPlan {
  const { catalog, functions } = options
  const diagnostics: Diagnostic[] = []
  const tools: BindTools = {
    functions,
    unknownColumns: severities[options.dialect ?? 'native'],
    report: (diagnostic) => diagnostics.push(diagnostic),
    regexpFault,
    nearest: (name, family) => ({ name, near: nearestNames(name, functions[family].names()) }),
  }
  const defaultName = options.table ?? catalog.defaultTable
  const tableOf = (name: string, scan?: Scan): TableDefinition => {
    const table = catalog.tables.get(name)
    if (table !== undefined) return table
    const known = [...catalog.tables.keys()]
    const data = { name, near: nearestNames(name, known), known }
    tools.report(analyzeDiagnostic('unknown-table', data, scan?.origin ?? plan.origin))
    const [first] = catalog.tables.values()
    invariant(first !== undefined, 'a catalog has at least one table')
    return first
  }
  const defaultScope = tableScope(tableOf(defaultName))
  const scopes = new WeakMap<LogicalPlan, Scope>()
  // Binding may insert nodes below a node. Their scopes are computed from their inputs.
  const scopeOf = (input: LogicalPlan): Scope => {
    const known = scopes.get(input)
    if (known !== undefined) return known
    const scope = scopeAbove(input, scopeOf, defaultScope)
    scopes.set(input, scope)
    return scope
  }
  const kept = keepStreamNames(plan, (name) => catalog.tables.get(name === '' ? defaultName : name))
  const bound = rewriteUp(kept, (node) => {
    let next: LogicalPlan
    let fallback = defaultScope
    if (node.kind === 'scan') {
      const table = tableOf(node.table === '' ? defaultName : node.table, node)
      fallback = tableScope(table)
      next = bindNode(bindScan(node, table), [fallback], tools)
    } else {
      const inputScopes = inputs(node).map(scopeOf)
      next = bindNode(node, inputScopes, tools)
    }
    scopes.set(next, scopeAbove(next, scopeOf, fallback))
    return next
  })
  return {
    plan: bound,
    schema: schemaOf(bound),
    timeRange: impliedRange(bound, (table) => catalog.tables.get(table)?.timeField),
    diagnostics,
  }
}

/** Like `bind`; throws SluiceError if the plan has errors. */
export function bindOrThrow(plan: LogicalPlan, options: BindOptions): BoundPlan {
  const bound = bind(plan, options)
  throwIfErrors(bound.diagnostics)
  return bound
}
