import { nearestNames, nowhere, type Diagnostic, type Interval, type JsonPath } from '../../base/index.ts'
import {
  conjunction,
  rewriteUp,
  tableNamed,
  tableOfDomain,
  wholeScan,
  type Expr,
  type LogicalPlan,
} from '../../plan/index.ts'
import type { Condition, Pipeline } from '../../wire/index.ts'
import { lowerConditions } from './condition.ts'
import { origin, type FunctionNames, type JsonLowering } from './context.ts'
import { jsonDiagnostic } from './diagnostics.ts'
import { lowerPipeline } from './pipeline.ts'

export interface SearchParts {
  /** Table that the HTTP endpoint searches. */
  readonly table: string
  /** Plan of the request's `query` text, whose scans read `table`. */
  readonly query: LogicalPlan | undefined
  /** Predicate of the request's `filters` text. */
  readonly filters: Expr | undefined
  readonly sources: readonly Condition[] | undefined
  readonly pipeline: Pipeline | undefined
  /** Path of the pipeline in the body. Default: `$.pipeline`. */
  readonly pipelinePath?: JsonPath
  readonly range: Interval
  readonly functions: FunctionNames
  /** Tables that a pipeline may name as its domain beside the kinds of data. */
  readonly tables?: ReadonlyMap<string, unknown> | undefined
}

function scanOf(table: string, range: Interval, at = nowhere): LogicalPlan {
  return { ...wholeScan({ name: table }, at), range }
}

/** Returns a plan with the predicate applied directly above every scan, including those in subqueries. */
function restrictScans(plan: LogicalPlan, predicate: Expr): LogicalPlan {
  return rewriteUp(plan, (node) =>
    node.kind === 'scan' ? { kind: 'filter', input: node, predicate, origin: node.origin } : node,
  )
}

function isTrue(expr: Expr): boolean {
  return (expr.kind === 'literal' && expr.value === true) || (expr.kind === 'and' && expr.args.every(isTrue))
}

/**
 * Combines a search into one plan: `filters` and `sources` apply to every scan; the pipes of `query` run before
 * `pipeline`.
 */
export function lowerSearch(parts: SearchParts): {
  readonly plan: LogicalPlan
  readonly diagnostics: readonly Diagnostic[]
} {
  const diagnostics: Diagnostic[] = []
  const { pipelinePath = ['pipeline'] } = parts
  const context: JsonLowering = {
    functions: parts.functions,
    diagnostics,
    source: (domain, at) => {
      if (parts.query !== undefined) return parts.query
      const table = domain === undefined ? parts.table : tableNamed(domain, parts.tables)
      const isKnown =
        domain === undefined || parts.tables?.has(table) === true || tableOfDomain.has(domain.toLowerCase())
      if (!isKnown) {
        const known = [...new Set([...tableOfDomain.keys(), ...(parts.tables?.keys() ?? [])])]
        diagnostics.push(
          jsonDiagnostic(
            'unknown-word',
            { what: 'domain', name: domain ?? '', near: nearestNames(domain ?? '', known), known },
            at,
          ),
        )
      }
      return scanOf(isKnown ? table : parts.table, parts.range, at)
    },
  }
  const own = (['from', 'join', 'union'] as const).find((member) => parts.pipeline?.[member] !== undefined)
  if (own !== undefined && parts.query !== undefined && !isPlainFilter(parts.query)) {
    diagnostics.push(jsonDiagnostic('query-and-source', { member: own }, origin([...pipelinePath, own])))
  }
  const must = [lowerConditions(parts.sources, ['sources'], context)]
  if (parts.filters !== undefined) must.push(parts.filters)
  const predicate = conjunction(must.filter((expr) => !isTrue(expr)))
  const plan =
    parts.pipeline === undefined
      ? (parts.query ?? scanOf(parts.table, parts.range))
      : lowerPipeline(parts.pipeline, pipelinePath, context)
  return { plan: isTrue(predicate) ? plan : restrictScans(plan, predicate), diagnostics }
}

function isPlainFilter(plan: LogicalPlan): boolean {
  return plan.kind === 'scan' || (plan.kind === 'filter' && isPlainFilter(plan.input))
}
