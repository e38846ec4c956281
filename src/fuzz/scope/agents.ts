import type { Random } from '../../base/index.ts'
import type { PromqlCase } from '../promql/generate.ts'
import type { EndpointRequest } from './endpoint.ts'
import type { HttpRequest } from './http-request.ts'
import type { PolicyJson } from './policies.ts'

/** A PromQL query and its evaluation times. */
export type AgentMetricTimes = Omit<PromqlCase, 'uses'>

/** Draws a tool call of `/mcp` for the rows of a request; `shown` is the query of the question. */
export function drawAgentCall(random: Random, request: EndpointRequest, shown: string): HttpRequest {
  const { domain: table, start, end, query, field, contains, limit: count } = request
  const range = random.next() < 0.7 ? { start, end } : {}
  const found = { query, table, ...range }
  const asked = contains === undefined ? {} : { contains }
  const bytes = random.pick([4000, 12_000])
  const [name, args] = random.pick<readonly [string, PolicyJson]>([
    ['query', { ...found, query: shown, bytes }],
    ['query', { ...found, bytes }],
    ['check', { query: shown, table }],
    ['fields', { ...found, ...asked }],
    ['values', { ...found, ...asked, field, bytes }],
    ['hits', { ...found, ...(random.next() < 0.5 ? { field } : {}) }],
    ['patterns', { ...found, count }],
    ['compare', { ...found, query: '*', filter: query, count }],
    ['context', { query, table, ...range, before: 1, after: 1, bytes }],
    ['trace', { trace_id: random.pick(['a', 'api', '0']), ...range }],
    ['explain', { ...found, query: shown, analyze: false }],
    ['monitors', { show: random.pick(['alerts', 'monitors']) }],
  ])
  return callOf(name, args)
}

/** Draws a call of the tool `metrics`: a query at an instant or over a range, or the names of metrics. */
export function drawAgentMetrics(
  random: Random,
  { text: query, startMs, endMs, stepMs }: AgentMetricTimes,
): HttpRequest {
  const timeOf = (ms: number): string => new Date(ms).toISOString()
  return callOf(
    'metrics',
    random.pick<PolicyJson>([
      {},
      { query, end: timeOf(startMs) },
      { query, start: timeOf(startMs), end: timeOf(endMs), step: Math.max(stepMs, 1) / 1000 },
      { query, start: timeOf(startMs), end: timeOf(endMs) },
    ]),
  )
}

function callOf(name: string, args: PolicyJson): HttpRequest {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  return { method: 'POST', path: '/mcp', body, accept: 'application/json, text/event-stream' }
}
