import { z } from 'zod'
import type { HttpAnswer } from '../../http/answer.ts'
import { json } from '../../http/respond.ts'
import type { AnyRoute } from '../definition/route.ts'
import { defineLokiRoutes, type LokiCall } from './define-loki-routes.ts'
import { RANGE, rangeParameters } from './parameters.ts'
import { parsedEntries } from './source.ts'
import { streamSizes } from './stream-sizes.ts'

const listAnswer = z
  .object({ status: z.literal('success'), data: z.array(z.string()).optional() })
  .meta({ id: 'LokiList', description: 'A sorted list; without `data` if it is empty.' })

const seriesAnswer = z
  .object({ status: z.literal('success'), data: z.array(z.record(z.string(), z.string())) })
  .meta({ id: 'LokiSeries', description: 'Streams by their labels.' })

/** As in Loki, `data` is left out for an empty list. */
function listOf(names: Iterable<string>): HttpAnswer {
  const sorted = [...new Set(names)].sort()
  return json(sorted.length === 0 ? { status: 'success' } : { status: 'success', data: sorted })
}

async function streamsOf(call: LokiCall): Promise<readonly Readonly<Record<string, string>>[]> {
  const { parameters, context } = call
  const text = parameters.get('query')
  const query = text === undefined ? undefined : parsedEntries(call, text, true)
  const sizes = await streamSizes(call, query, rangeParameters(parameters, context.nowNs(), true))
  return sizes.map(({ labels }) => labels)
}

const labelRoutes = defineLokiRoutes({
  name: 'lokiLabels',
  path: '/loki/api/v1/labels',
  alsoAt: ['/loki/api/v1/label', '/api/prom/label'],
  summary: 'List labels of streams of logs, as Loki does',
  parameters: { query: 'A selector: only labels of its streams.', ...RANGE },
  answer: { description: 'Names.', schema: listAnswer },
  handle: async (call) => listOf((await streamsOf(call)).flatMap((labels) => Object.keys(labels))),
})

const valueRoutes = defineLokiRoutes({
  name: 'lokiLabelValues',
  path: '/loki/api/v1/label/{name}/values',
  alsoAt: ['/api/prom/label/{name}/values'],
  summary: 'List values of a label of streams of logs, as Loki does',
  parameters: { query: 'A selector: only values in its streams.', ...RANGE },
  answer: { description: 'Values.', schema: listAnswer },
  handle: async (call) => {
    const name = call.path.get('name') ?? ''
    return listOf(
      (await streamsOf(call)).flatMap((labels) => (Object.hasOwn(labels, name) ? [labels[name] ?? ''] : [])),
    )
  },
})

const seriesRoutes = defineLokiRoutes({
  name: 'lokiSeries',
  path: '/loki/api/v1/series',
  alsoAt: ['/api/prom/series'],
  summary: 'List streams of logs, as Loki does',
  parameters: { 'match[]': 'A selector; may repeat. Default: all streams.', ...RANGE },
  answer: { description: 'Sets of labels.', schema: seriesAnswer },
  handle: async (call) => {
    const { parameters, context } = call
    const range = rangeParameters(parameters, context.nowNs())
    const texts = [...parameters.all('match[]'), ...parameters.all('match')]
    // Only here and in the volume API, an empty selector means all streams.
    const selectors = texts.includes('{}') ? [] : texts.map((text) => parsedEntries(call, text, true))
    const found = new Map<string, Readonly<Record<string, string>>>()
    for (const query of selectors.length === 0 ? [undefined] : selectors)
      for (const { labels } of await streamSizes(call, query, range)) found.set(JSON.stringify(labels), labels)
    return json({ status: 'success', data: [...found.values()] })
  },
})

export const lokiLabelRoutes: readonly AnyRoute[] = [...labelRoutes, ...valueRoutes, ...seriesRoutes]
