import type { Random } from '../../base/index.ts'
import type { EndpointRequest } from './endpoint.ts'
import type { HttpRequest } from './http-request.ts'
import type { Json } from './policies.ts'

/** Draws a call of a tool of `/mcp` about the rows of a request; `shown` is the query of its question. */
export function drawAgentCall(random: Random, request: EndpointRequest, shown: string): HttpRequest {
  const { domain: table, start, end, query, field, contains, limit: count } = request
  const range = random.next() < 0.7 ? { start, end } : {}
  const found = { query, table, ...range }
  const asked = contains === undefined ? {} : { contains }
  const bytes = random.pick([4000, 12_000])
  const [name, args] = random.pick<readonly [string, Json]>([
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
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  return { method: 'POST', path: '/mcp', body, accept: 'application/json, text/event-stream' }
}
