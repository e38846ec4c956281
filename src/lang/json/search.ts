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

export interface SearchInputs {
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
  /** Tables that a pipeline may name as its domain, in addition to the kinds of data such as `logs`. */
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
 * Combines a search into one plan. `filters` and `sources` apply to every scan. The pipes of `query` run before
 * `pipeline`.
 */
export function lowerSearch(inputs: SearchInputs): {
  readonly plan: LogicalPlan
  readonly diagnostics: readonly Diagnostic[]
} {
  const diagnostics: Diagnostic[] = []
  const { pipelinePath = ['pipeline'] } = inputs
  const context: JsonLowering = {
    functions: inputs.functions,
    diagnostics,
    source: (domain, at) => {
      if (inputs.query !== undefined) return inputs.query
      const table = domain === undefined ? inputs.table : tableNamed(domain, inputs.tables)
      const isKnown =
        domain === undefined || inputs.tables?.has(table) === true || tableOfDomain.has(domain.toLowerCase())
      if (!isKnown) {
        const known = [...new Set([...tableOfDomain.keys(), ...(inputs.tables?.keys() ?? [])])]
        diagnostics.push(
          jsonDiagnostic(
            'unknown-word',
            { what: 'domain', name: domain ?? '', near: nearestNames(domain ?? '', known), known },
            at,
          ),
        )
      }
      return scanOf(isKnown ? table : inputs.table, inputs.range, at)
    },
  }
  const own = (['from', 'join', 'union'] as const).find((member) => inputs.pipeline?.[member] !== undefined)
  if (own !== undefined && inputs.query !== undefined && !isPlainFilter(inputs.query)) {
    diagnostics.push(jsonDiagnostic('query-and-source', { member: own }, origin([...pipelinePath, own])))
  }
  const must = [lowerConditions(inputs.sources, ['sources'], context)]
  if (inputs.filters !== undefined) must.push(inputs.filters)
  const predicate = conjunction(must.filter((expr) => !isTrue(expr)))
  const plan =
    inputs.pipeline === undefined
      ? (inputs.query ?? scanOf(inputs.table, inputs.range))
      : lowerPipeline(inputs.pipeline, pipelinePath, context)
  return { plan: isTrue(predicate) ? plan : restrictScans(plan, predicate), diagnostics }
}

function isPlainFilter(plan: LogicalPlan): boolean {
  return plan.kind === 'scan' || (plan.kind === 'filter' && isPlainFilter(plan.input))
}
