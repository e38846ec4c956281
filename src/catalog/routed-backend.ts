import { invariant } from '../base/index.ts'
import type { Acceptance, Backend, CompiledStatement, StatementCompiler } from '../backends/index.ts'
import { visit, type LogicalPlan, type Scan } from '../plan/index.ts'

/** A backend with the tables that it owns. */
export interface Route {
  readonly backend: Backend & StatementCompiler
  readonly tables: ReadonlySet<string>
}

function scansOf(plan: LogicalPlan): readonly Scan[] {
  const found: Scan[] = []
  visit(plan, (node) => {
    if (node.kind === 'scan') found.push(node)
  })
  return found
}

/**
 * Combines several backends into one with all their tables. A plan over tables of one backend runs there as far as
 * possible. Nodes that combine rows of two backends run above them.
 */
export function routedBackend(routes: readonly Route[]): Backend & StatementCompiler {
  const routeOf = (plan: LogicalPlan): Route | Extract<Acceptance, { kind: 'not' }> => {
    const [first, ...others] = scansOf(plan)
    const route = routes.find(({ tables }) => first !== undefined && tables.has(first.table))
    if (first === undefined || route === undefined)
      return { kind: 'not', node: first ?? plan, reason: 'it reads no table of a database' }
    const stranger = others.find(({ table }) => !route.tables.has(table))
    if (stranger === undefined) return route
    const reason = `\`${first.table}\` and \`${stranger.table}\` are in different databases`
    return { kind: 'not', node: plan, reason }
  }
  const backendOf = (plan: LogicalPlan): Route['backend'] => {
    const route = routeOf(plan)
    invariant('backend' in route, 'only plans that were accepted are run')
    return route.backend
  }
  const [only] = routes
  return {
    name: routes.length === 1 && only !== undefined ? only.backend.name : 'catalog',
    accept: (plan) => {
      const route = routeOf(plan)
      return 'backend' in route ? route.backend.accept(plan) : route
    },
    prepare: (plan, context) => backendOf(plan).prepare(plan, context),
    compile: (plan): CompiledStatement => backendOf(plan).compile(plan),
  }
}
