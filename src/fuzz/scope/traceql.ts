import type { Random } from '../../base/index.ts'
import { storedFields } from '../writer.ts'
import type { EndpointRequest } from './endpoint.ts'
import type { HttpRequest } from './http-request.ts'

const VALUES = ['"a"', '""', '"shop"', '"error"', '"api"', '5', '0.5', 'true', '1s', 'nil']

function drawField(random: Random): string {
  const name = JSON.stringify(random.pick(storedFields))
  return random.pick([
    `.${name}`,
    `span.${name}`,
    `resource.${name}`,
    'resource.service.name',
    'resource.k8s.namespace.name',
    'name',
    'status',
    'kind',
    'duration',
    'rootName',
    'traceDuration',
    'nestedSetParent',
    'span:childCount',
  ])
}

function drawCondition(random: Random): string {
  const field = drawField(random)
  if (field === 'status') return `status ${random.pick(['=', '!='])} ${random.pick(['error', 'ok', 'unset'])}`
  if (field === 'kind') return `kind ${random.pick(['=', '!='])} ${random.pick(['server', 'client', 'unspecified'])}`
  return `${field} ${random.pick(['=', '!=', '<', '>=', '=~'])} ${random.pick(VALUES)}`
}

function drawFilter(random: Random): string {
  const count = random.below(3)
  return `{ ${Array.from({ length: count }, () => drawCondition(random)).join(random.pick([' && ', ' || ']))} }`
}

/** Draws a query such as `{ .a = 5 } >> { kind = server } | count() > 1`. */
function drawSpans(random: Random): string {
  let text = drawFilter(random)
  while (random.next() < 0.3)
    text += ` ${random.pick(['&&', '||', '>', '>>', '<', '<<', '~', '!>', '!>>', '&>', '&>>'])} ${drawFilter(random)}`
  while (random.next() < 0.3)
    text += ` | ${random.pick([
      drawFilter(random),
      'count() > 1',
      `max(${drawField(random)}) > 0`,
      `by(${drawField(random)})`,
      `select(${drawField(random)})`,
    ])}`
  return text
}

function drawMetric(random: Random): string {
  const field = drawField(random)
  const fn = random.pick([
    'rate()',
    'count_over_time()',
    `sum_over_time(${field})`,
    'quantile_over_time(duration, .5)',
    `histogram_over_time(${field})`,
    `compare(${drawFilter(random)})`,
  ])
  const by = random.next() < 0.4 && !fn.startsWith('compare') ? ` by (${drawField(random)})` : ''
  return `${drawSpans(random)} | ${fn}${by}`
}

/** Draws a request of Tempo's read API. */
export function drawTempo(random: Random, { start, end, limit }: EndpointRequest): HttpRequest {
  const of = (path: string, ...pairs: readonly (readonly [string, string])[]): HttpRequest => {
    const seconds = (text: string): string => String(Math.floor(Date.parse(text) / 1000))
    const all = [['start', seconds(start)], ['end', seconds(end)], ...pairs].map(
      ([name = '', value = '']): [string, string] => [name, value],
    )
    return { method: 'GET', path: `${random.pick(['', '/tempo'])}/api/${path}?${new URLSearchParams(all).toString()}` }
  }
  const spans = ['q', drawSpans(random)] as const
  const found = random.next() < 0.5 ? [spans] : []
  return random.pick([
    of('search', spans, ['limit', String(limit)], ['spss', '100']),
    of('search', ['limit', String(limit)]),
    of('search', ['tags', `${random.pick(storedFields)}=a`]),
    of('metrics/query_range', ['q', drawMetric(random)], ['step', random.pick(['600', '86400'])]),
    of('metrics/query', ['q', drawMetric(random)]),
    of('v2/search/tags', ...found),
    of('search/tags', ...found),
    of(`v2/search/tag/${encodeURIComponent(drawField(random))}/values`, ...found),
    of(`search/tag/${encodeURIComponent(random.pick(storedFields))}/values`, ...found),
  ])
}
