import { z } from 'zod'
import { METRIC_NAME, compareLabels, compareText, type Labels } from '../../../data/index.ts'
import { floatText } from '../../../engine/metrics/index.ts'
import { AnswerBuffer } from '../../http/answer-buffer.ts'
import { fault } from '../../errors/http-fault.ts'
import { RequestParameters, searchParameters } from '../../metrics/parameters.ts'
import { shapePrometheusError } from '../../metrics/shape-error.ts'
import { defineRoute, type AnyRoute } from '../definition/route.ts'
import type { MetricReadService } from '../../metrics/metric-interfaces.ts'
import type { Caller } from '../../auth/caller.ts'

interface Newest {
  readonly labels: Labels
  readonly timeMs: number
  readonly value: number
}

const PLAIN_METRIC = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const PLAIN_LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')}"`
}

function line({ labels, timeMs, value }: Newest): string {
  const name = labels.metricName
  const pairs = labels
    .toPairs()
    .filter(([label]) => label !== METRIC_NAME)
    .map(([label, text]) => `${PLAIN_LABEL.test(label) ? label : quoted(label)}=${quoted(text)}`)
  // An empty label prevents the scraper from setting this server as the instance.
  if (!labels.has('instance')) pairs.push('instance=""')
  const head = PLAIN_METRIC.test(name) ? `${name}{${pairs.join()}}` : `{${[quoted(name), ...pairs].join()}}`
  return `${head} ${floatText(value)} ${timeMs}\n`
}

/** Returns the newest sample, within the lookback, of each series that matches any of the filters. */
async function newest(
  service: MetricReadService,
  parameters: RequestParameters,
  caller: Caller,
): Promise<readonly Newest[]> {
  const endMs = service.nowMs()
  const range = { startMs: endMs - service.limits.lookbackMs + 1, endMs }
  const budget = service.budget(caller)
  const byKey = new Map<string, Newest>()
  for (const filter of searchParameters(parameters, caller).filters) {
    for (const { labels, timesMs, values, staleness, histograms } of await service.samples(
      filter,
      range,
      caller,
      budget,
    )) {
      const last = timesMs.length - 1
      const timeMs = timesMs[last]
      // The text format cannot represent native histograms.
      if (timeMs === undefined || staleness?.[last] === 1 || histograms?.[last] !== undefined) continue
      if (!byKey.has(labels.key)) budget.charge(200)
      byKey.set(labels.key, { labels, timeMs, value: values[last] ?? NaN })
      budget.checkpoint()
    }
  }
  return [...byKey.values()].sort(
    (a, b) => compareText(a.labels.metricName, b.labels.metricName) || compareLabels(a.labels, b.labels),
  )
}

const federateRoute = defineRoute({
  name: 'prometheusFederate',
  method: 'GET',
  path: '/federate',
  summary: 'Return the newest sample of each series, for federation',
  role: 'read',
  parameters: [
    {
      name: 'match[]',
      description: 'A series selector; can be repeated. Without one the answer is empty.',
      schema: z.string(),
    },
  ],
  answers: [{ status: 200, description: 'Samples in the text format.', schema: z.string(), contentType: 'text/plain' }],
  isQuery: true,
  shapeError: shapePrometheusError,
  isAvailable: (context) => context.metricRead !== undefined,
  handle: async ({ context, memory, query, caller }) => {
    const service = context.metricRead
    if (service === undefined) throw fault('not-found', { what: 'path' })
    const found = await newest(service, new RequestParameters(new URLSearchParams(), query), caller)
    const buffer = new AnswerBuffer(memory, context.limits.answerBytes)
    try {
      let name: string | undefined
      for (const sample of found) {
        const { metricName } = sample.labels
        if (metricName !== name) {
          buffer.add(`# TYPE ${PLAIN_METRIC.test(metricName) ? metricName : quoted(metricName)} untyped\n`)
        }
        name = metricName
        buffer.add(line(sample))
      }
    } catch (error) {
      buffer.drop()
      throw error
    }
    const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8; escaping=allow-utf-8' }
    return { status: 200, headers, body: buffer.whole() }
  },
})

export const prometheusFederateRoutes: readonly AnyRoute[] = [federateRoute]
