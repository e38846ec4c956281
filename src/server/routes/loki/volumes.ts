import { z } from 'zod'
import type { Interval } from '../../../base/index.ts'
import { json } from '../../http/respond.ts'
import type { AnyRoute } from '../definition/route.ts'
import { defineLokiRoutes, refuse, type LokiCall } from './define-loki-routes.ts'
import { RANGE, limitParameter, queryParameter, rangeParameters, stepParameter } from './parameters.ts'
import { parsedEntries } from './source.ts'
import { streamSizes, type StreamSize } from './stream-sizes.ts'

const statsAnswer = z
  .object({ streams: z.number(), chunks: z.number(), bytes: z.number(), entries: z.number() })
  .meta({ id: 'LokiStats', description: 'Streams, entries and their bytes.' })

const volumeAnswer = z
  .object({
    status: z.literal('success'),
    data: z.object({ resultType: z.enum(['vector', 'matrix']), result: z.array(z.unknown()) }),
  })
  .meta({ id: 'LokiVolume', description: 'Bytes by labels.' })

const SELECTION = { query: 'A selector.', ...RANGE }

const statsRoutes = defineLokiRoutes({
  name: 'lokiStats',
  path: '/loki/api/v1/index/stats',
  summary: 'Count streams, entries and bytes of a selector, as Loki does',
  parameters: SELECTION,
  answer: { description: 'The counts. They are exact; chunks are the streams.', schema: statsAnswer },
  handle: async (call) => {
    const { parameters, context, caller } = call
    const query = parsedEntries(call, queryParameter(parameters, caller), true)
    const sizes = await streamSizes(call, query, rangeParameters(parameters, context.nowNs()), { hasBytes: true })
    const sum = (of: (size: StreamSize) => number): number => sizes.reduce((total, size) => total + of(size), 0)
    const streams = sizes.length
    return json({ streams, chunks: streams, bytes: sum(({ bytes }) => bytes), entries: sum(({ entries }) => entries) })
  },
})

const DEFAULT_LIMIT = 100

/** Bytes of one combination of labels, by start of the step. */
interface Volume {
  readonly metric: Readonly<Record<string, string>>
  bytes: number
  readonly byStep: Map<bigint, number>
}

/**
 * Returns the label sets under which a stream is counted: several if the stream is counted under each of its labels.
 */
function metricsOf(
  { labels }: StreamSize,
  names: readonly string[] | undefined,
  isByLabel: boolean,
): readonly Readonly<Record<string, string>>[] {
  const wanted = names ?? Object.keys(labels)
  const found = wanted.filter((name) => Object.hasOwn(labels, name))
  if (isByLabel) return found.map((name) => ({ [name]: '' }))
  return found.length === 0 ? [] : [Object.fromEntries(found.map((name) => [name, labels[name] ?? '']))]
}

async function volumesOf(call: LokiCall, range: Interval, stepNs?: bigint): Promise<readonly Volume[]> {
  const { parameters, caller } = call
  const text = queryParameter(parameters, caller)
  const query = text.replaceAll(/\s/g, '') === '{}' ? undefined : parsedEntries(call, text, true)
  const limit = parameters.get('limit') === '0' ? DEFAULT_LIMIT : limitParameter(parameters, DEFAULT_LIMIT)
  const targets = parameters.get('targetLabels')
  const by = parameters.get('aggregateBy') ?? 'series'
  if (by !== 'series' && by !== 'labels') refuse('invalid aggregation option')
  // Default targets: the labels in the selector or, if counting by label, all labels.
  const named = query === undefined || by === 'labels' ? undefined : query.matchers.map(({ label }) => label)
  const names = targets === undefined ? named : targets.split(',').map((name) => name.trim())
  const volumes = new Map<string, Volume>()
  for (const size of await streamSizes(call, query, range, { stepNs, hasBytes: true, labels: names })) {
    for (const metric of metricsOf(size, names, by === 'labels')) {
      const key = JSON.stringify(metric)
      const volume = volumes.get(key) ?? { metric, bytes: 0, byStep: new Map<bigint, number>() }
      volumes.set(key, volume)
      volume.bytes += size.bytes
      volume.byStep.set(size.fromNs, (volume.byStep.get(size.fromNs) ?? 0) + size.bytes)
    }
  }
  return [...volumes.values()].sort((a, b) => b.bytes - a.bytes).slice(0, limit)
}

const VOLUME = {
  ...SELECTION,
  limit: 'At most so many groups, the largest ones; 100 when it is not given.',
  targetLabels: 'Labels to group by. Default: those of the selector.',
  aggregateBy: '`series`, the default, or `labels`: the bytes of all streams that have a label.',
}

const volumeRoutes = defineLokiRoutes({
  name: 'lokiVolume',
  path: '/loki/api/v1/index/volume',
  summary: 'Sum bytes of logs by labels, as Loki does',
  parameters: VOLUME,
  answer: { description: 'Bytes of each group in the range.', schema: volumeAnswer },
  handle: async (call) => {
    const range = rangeParameters(call.parameters, call.context.nowNs())
    const time = Number(range.endNs / 1_000_000n) / 1000
    const volumes = await volumesOf(call, range)
    const result = volumes.map(({ metric, bytes }) => ({ metric, value: [time, String(bytes)] }))
    return json({ status: 'success', data: { resultType: 'vector', result } })
  },
})

const volumeRangeRoutes = defineLokiRoutes({
  name: 'lokiVolumeRange',
  path: '/loki/api/v1/index/volume_range',
  summary: 'Sum bytes of logs by labels and step, as Loki does',
  parameters: { ...VOLUME, step: 'Length of a step: a duration, or seconds.' },
  answer: { description: 'Bytes of each group in each step, at the last ms of it.', schema: volumeAnswer },
  handle: async (call) => {
    const range = rangeParameters(call.parameters, call.context.nowNs())
    const stepNs = BigInt(stepParameter(call.parameters, range)) * 1_000_000n
    const endMs = Number(range.endNs / 1_000_000n)
    const volumes = await volumesOf(call, range, stepNs)
    const result = volumes.map(({ metric, byStep }) => ({
      metric,
      values: [...byStep]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([fromNs, bytes]) => {
          const lastMs = Number((fromNs + stepNs) / 1_000_000n) - 1
          return [Math.min(lastMs, endMs) / 1000, String(bytes)]
        }),
    }))
    return json({ status: 'success', data: { resultType: 'matrix', result } })
  },
})

export const lokiVolumeRoutes: readonly AnyRoute[] = [...statsRoutes, ...volumeRoutes, ...volumeRangeRoutes]
