import { z } from 'zod'
import { ENTRY_BYTES, clampNs, nowhere } from '../../../base/index.ts'
import { rowBytes, toText } from '../../../data/index.ts'
import { column, countRows, fieldPattern, not, test, type Expr, type LogicalPlan } from '../../../plan/index.ts'
import { budgetOf, eachRow } from '../../search/collect.ts'
import { spansFor, spansWhere } from '../../search/spans.ts'
import type { AnyRoute } from '../definition/route.ts'
import { serviceName } from './conditions.ts'
import { answerEnvelope, defineJaegerRoute, enveloped, refuse } from './define-jaeger-routes.ts'
import { milliseconds } from './parameters.ts'

const CHILD = '__child__'
const PARENT = '__parent__'
const PARENT_SPAN = '__parent_span__'
const CALLS = '__calls__'

/**
 * Returns a plan for spans with three columns: trace id, an id under a common name, and the service under a given name.
 */
function spansBy(id: string, service: string, predicate: Expr | undefined): LogicalPlan {
  const named: LogicalPlan = {
    kind: 'extend',
    input: spansWhere(predicate),
    assignments: [
      { name: PARENT_SPAN, expr: column(id), type: 'string' },
      { name: service, expr: serviceName, type: 'string' },
    ],
    origin: nowhere,
  }
  return {
    kind: 'project',
    input: named,
    fields: ['trace_id', PARENT_SPAN, service].map((name) => fieldPattern(name)),
    origin: nowhere,
  }
}

const hasParent = not(test(column('parent_span_id'), { kind: 'empty' }))

/** Calls between services: joins spans with their parents of another service. */
const callsPlan: LogicalPlan = {
  kind: 'aggregate',
  input: {
    kind: 'join',
    left: spansBy('parent_span_id', CHILD, hasParent),
    right: spansBy('span_id', PARENT, undefined),
    type: 'inner',
    on: ['trace_id', PARENT_SPAN].map((name) => ({ left: name, right: name })),
    prefix: undefined,
    prefixMode: 'collision',
    origin: nowhere,
  },
  keys: [PARENT, CHILD].map((name) => ({ name, expr: column(name), type: 'string' as const })),
  aggregates: [{ name: CALLS, type: 'integer', call: countRows(nowhere) }],
  origin: nowhere,
}

/** Default range: a week, which Jaeger's user interface requests. */
const USUAL_LOOKBACK_NS = 604_800_000n * 1_000_000n

interface Dependency {
  readonly parent: string
  readonly child: string
  readonly callCount: number
}

const dependenciesRoute = defineJaegerRoute({
  name: 'jaegerDependencies',
  path: '/api/dependencies',
  summary: 'List which services call which, as Jaeger does',
  parameters: {
    endTs: 'End of the range: milliseconds since 1970; required.',
    lookback: 'Length of the range in milliseconds. Default: a week.',
  },
  description: 'Pairs of services with the number of calls: spans whose parent is a span of the other service.',
  answer: enveloped(z.object({ parent: z.string(), child: z.string(), callCount: z.int() })).meta({
    id: 'JaegerDependencies',
    description: 'Calls from parent to child.',
  }),
  handle: async (call) => {
    const { parameters } = call
    const endNs = milliseconds(parameters, 'endTs') ?? refuse("parameter 'endTs' is required")
    const lookbackNs = milliseconds(parameters, 'lookback') ?? USUAL_LOOKBACK_NS
    const range = { startNs: clampNs(endNs - lookbackNs), endNs }
    const budget = budgetOf(call)
    const found: Dependency[] = []
    await eachRow(spansFor(call).rows(callsPlan, range), (row) => {
      budget.charge(ENTRY_BYTES + rowBytes(row))
      const [parent = '', child = ''] = [PARENT, CHILD].map((name) => toText(row.get(name) ?? null))
      if (parent !== child) found.push({ parent, child, callCount: Number(row.get(CALLS) ?? 0) })
    })
    return answerEnvelope(call, found)
  },
})

/** Route for dependencies in Jaeger's query API. */
export const jaegerDependencyRoutes: readonly AnyRoute[] = [dependenciesRoute]
