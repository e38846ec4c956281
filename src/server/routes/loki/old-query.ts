import { z } from 'zod'
import type { AnyRoute } from '../definition/route.ts'
import { listed } from '../../http/respond.ts'
import { defineLokiRoutes, refuse } from './define-loki-routes.ts'
import { RANGE, queryParameter } from './parameters.ts'
import { answered, streamsOf } from './query.ts'
import { parsedQuery } from './source.ts'
import { inOldForm } from './streams.ts'

const streamsAnswer = z
  .object({
    streams: z.array(
      z.object({ labels: z.string(), entries: z.array(z.object({ ts: z.string(), line: z.string() })) }),
    ),
  })
  .meta({ id: 'LokiOldStreams', description: 'Entries by stream, in the older form of Loki.' })

/** Log search at the path, and in the format, that Loki had before its API version 1. */
export const lokiOldQueryRoutes: readonly AnyRoute[] = defineLokiRoutes({
  name: 'lokiOldQuery',
  path: '/api/prom/query',
  summary: 'Search logs in LogQL, in the older form of Loki',
  parameters: {
    query: 'A query of entries, in LogQL.',
    ...RANGE,
    limit: 'At most so many entries; 100 when it is not given.',
    direction: '`backward`: the newest entries first, which is the default; `forward`: the oldest.',
    regexp: 'A regular expression that lines must match.',
  },
  answer: { description: 'Entries by stream.', schema: streamsAnswer },
  handle: async (call) => {
    const { parameters, caller } = call
    const text = queryParameter(parameters, caller)
    const regexp = parameters.get('regexp')
    const query = parsedQuery(call, regexp === undefined ? text : `${text} |~ ${JSON.stringify(regexp)}`)
    if (query.kind !== 'log-query') return refuse('legacy endpoints only support streams result type')
    const streams = await streamsOf(call, query, false)
    return answered(
      call,
      (function* () {
        yield '{"streams":['
        yield* listed(streams, (stream) => JSON.stringify(inOldForm(stream)))
        yield ']}'
      })(),
    )
  },
})
