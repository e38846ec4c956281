import { z } from 'zod'
import { ENTRY_BYTES, always, nowhere } from '../../../base/index.ts'
import { rowBytes, toText, type Row } from '../../../data/index.ts'
import { column, conjunction, test, type Expr, type LogicalPlan } from '../../../plan/index.ts'
import { budgetOf, eachRow } from '../../search/collect.ts'
import { spansFor, spansWhere } from '../../search/spans.ts'
import type { AnyRoute } from '../definition/route.ts'
import { mayBeOf, serviceName } from './conditions.ts'
import {
  answerEnvelope,
  answerList,
  defineJaegerRoute,
  defineJaegerV3Route,
  enveloped,
  refuse,
  type JaegerCall,
} from './define-jaeger-routes.ts'

const SERVICE = '__service__'

function distinct(predicate: Expr | undefined, fields: readonly string[]): LogicalPlan {
  return {
    kind: 'aggregate',
    input: spansWhere(predicate),
    keys: [
      { name: SERVICE, expr: serviceName, type: 'string' },
      ...fields.map((name) => ({ name, expr: column(name), type: 'string' as const })),
    ],
    aggregates: [],
    origin: nowhere,
  }
}

async function rowsOf(call: JaegerCall, plan: LogicalPlan): Promise<readonly Row[]> {
  const budget = budgetOf(call)
  const rows: Row[] = []
  await eachRow(spansFor(call).rows(plan, always), (row) => {
    budget.charge(ENTRY_BYTES + rowBytes(row))
    rows.push(row)
  })
  return rows
}

function textOf(row: Row, name: string): string {
  return toText(row.get(name) ?? null)
}

async function services(call: JaegerCall): Promise<readonly string[]> {
  const rows = await rowsOf(call, distinct(undefined, []))
  return [...new Set(rows.map((row) => textOf(row, SERVICE)))].sort()
}

interface Operation {
  readonly name: string
  readonly spanKind: string
}

/** Returns the operations of a service, optionally of one span kind. */
async function operations(call: JaegerCall, service: string, kind: string | undefined): Promise<readonly Operation[]> {
  const ofKind = kind === undefined ? [] : [test(column('kind'), equals(kind.toLowerCase()))]
  const rows = await rowsOf(call, distinct(conjunction([mayBeOf(service), ...ofKind]), ['span_name', 'kind']))
  return rows
    .filter((row) => textOf(row, SERVICE) === service)
    .map((row) => {
      const spanKind = textOf(row, 'kind')
      return { name: textOf(row, 'span_name'), spanKind: spanKind === 'unspecified' ? '' : spanKind }
    })
}

function equals(value: string) {
  return { kind: 'equals', value, isFolded: false, isTyped: false } as const
}

const nameList = enveloped(z.string()).meta({ id: 'JaegerNames', description: 'Names, sorted.' })
const operation = z.object({ name: z.string(), spanKind: z.string() })

const servicesRoute = defineJaegerRoute({
  name: 'jaegerServices',
  path: '/api/services',
  summary: 'List services that have spans, as Jaeger does',
  parameters: {},
  description: 'Names of services.',
  answer: nameList,
  handle: async (call) => answerEnvelope(call, await services(call)),
})

const namesRoute = defineJaegerRoute({
  name: 'jaegerServiceOperations',
  path: '/api/services/{name}/operations',
  summary: 'List operations of a service, as Jaeger does',
  parameters: {},
  description: 'Names of operations.',
  answer: nameList,
  handle: async (call) => {
    const found = await operations(call, call.path.get('name') ?? '', undefined)
    return answerEnvelope(call, [...new Set(found.map(({ name }) => name))].sort())
  },
})

const OPERATION_PARAMETERS = { service: 'The service; required.', spanKind: 'Only of this kind, such as `server`.' }

function serviceParameter({ parameters }: JaegerCall): string {
  return parameters.get('service') ?? refuse("parameter 'service' is required")
}

const operationsRoute = defineJaegerRoute({
  name: 'jaegerOperations',
  path: '/api/operations',
  summary: 'List operations of a service with their kinds, as Jaeger does',
  parameters: OPERATION_PARAMETERS,
  description: 'Operations; the kind is empty if it was not sent.',
  answer: enveloped(operation).meta({ id: 'JaegerOperations', description: 'Operations.' }),
  handle: async (call) =>
    answerEnvelope(call, await operations(call, serviceParameter(call), call.parameters.get('spanKind'))),
})

const servicesV3Route = defineJaegerV3Route({
  name: 'jaegerV3Services',
  path: '/api/v3/services',
  summary: 'List services that have spans, as version 3 of Jaeger does',
  parameters: {},
  description: 'Names of services.',
  answer: z
    .object({ services: z.array(z.string()) })
    .meta({ id: 'JaegerV3Services', description: 'Names of services, sorted.' }),
  handle: async (call) => answerList(call, ['{"services":[', ']}'], await services(call)),
})

const operationsV3Route = defineJaegerV3Route({
  name: 'jaegerV3Operations',
  path: '/api/v3/operations',
  summary: 'List operations of a service, as version 3 of Jaeger does',
  parameters: { service: OPERATION_PARAMETERS.service, span_kind: OPERATION_PARAMETERS.spanKind },
  description: 'Operations; the kind is empty if it was not sent.',
  answer: z.object({ operations: z.array(operation) }).meta({ id: 'JaegerV3Operations', description: 'Operations.' }),
  handle: async (call) => {
    const found = await operations(call, serviceParameter(call), call.parameters.get('span_kind'))
    return answerList(call, ['{"operations":[', ']}'], found)
  },
})

/** Routes for services and operations in Jaeger's query API. */
export const jaegerNameRoutes: readonly AnyRoute[] = [
  servicesRoute,
  namesRoute,
  operationsRoute,
  servicesV3Route,
  operationsV3Route,
]
