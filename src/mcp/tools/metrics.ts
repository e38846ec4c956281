import { z } from 'zod'
import { parseRfc3339 } from '../../base/index.ts'
import type { Asking } from '../ask.ts'
import { within } from '../estimate.ts'
import { TIME_STEPS } from '../limits.ts'
import { listed } from '../rows.ts'
import { defineTool, rangeArgs, type QueryEstimate } from '../tool.ts'
import type { Row } from '../window.ts'

/** Maximum age of a sample that counts as the current value, as in Prometheus. */
const LOOKBACK_SECONDS = 300

type Labels = Readonly<Record<string, string>>
type Point = readonly [number, string]

interface PrometheusAnswer<T> {
  readonly data: T
}

type Result =
  | { readonly resultType: 'vector'; readonly result: readonly { readonly metric: Labels; readonly value: Point }[] }
  | {
      readonly resultType: 'matrix'
      readonly result: readonly { readonly metric: Labels; readonly values: readonly Point[] }[]
    }
  | { readonly resultType: 'scalar' | 'string'; readonly result: Point }

interface Matcher {
  readonly name: string
  readonly type: string
  readonly value: string
}

/** Returns the selectors of a parsed query, each as `{name="value"}`. */
function selectorsOf(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return []
  const { type, matchers } = node as { readonly type?: string; readonly matchers?: readonly Matcher[] }
  if ((type === 'vectorSelector' || type === 'matrixSelector') && matchers !== undefined) {
    const printed = matchers.map(({ name, type, value }) => `${JSON.stringify(name)}${type}${JSON.stringify(value)}`)
    return [`{${printed.join(',')}}`]
  }
  return Object.values(node).flatMap(selectorsOf)
}

/** Estimates the samples that a metric query reads: its series in the range times the number of steps. */
async function samplesOf(asking: Asking, query: string, range: URLSearchParams, steps: number): Promise<QueryEstimate> {
  const { data } = await asking.json<PrometheusAnswer<unknown>>({
    path: '/api/v1/parse_query',
    body: new URLSearchParams({ query }),
  })
  const selectors = selectorsOf(data)
  let series = 0
  if (selectors.length > 0) {
    const matched = new URLSearchParams(range)
    for (const selector of selectors) matched.append('match[]', selector)
    series = (await asking.json<PrometheusAnswer<readonly unknown[]>>({ path: '/api/v1/series', body: matched })).data
      .length
  }
  return within(asking, { rows: series * steps, of: `samples: ${series} series in ${steps} steps` })
}

function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

function rowsOf(data: Result): readonly Row[] {
  switch (data.resultType) {
    case 'vector':
      return data.result.map(({ metric, value: [at, value] }) => ({ metric, time: timeText(at), value }))
    case 'matrix':
      return data.result.map(({ metric, values }) => ({
        metric,
        points: values.length,
        values: values.map(([at, value]) => [timeText(at), value]),
      }))
    default: {
      const [at, value] = data.result
      return [{ time: timeText(at), value }]
    }
  }
}

/** Formats a time as seconds since 1970, as the Prometheus API expects. */
function secondsOf(time: string): number {
  return Number((parseRfc3339(time) ?? 0n) / 1_000_000n) / 1000
}

export const metrics = defineTool({
  name: 'metrics',
  title: 'Query metrics',
  description:
    'Runs a PromQL query: with `start` over the range, else at `end` (default: now). One row a series: its labels, and its value or values. Without `query` it lists the names of metrics.',
  endsNow: true,
  args: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(100_000)
      .optional()
      .describe('PromQL, such as `sum by (workload) (rate(http_requests_total[5m]))`.'),
    ...rangeArgs,
    step: z.number().min(0.001).optional().describe(`Seconds between two points. Default: ${TIME_STEPS} points.`),
  }),
  plan: async ({ args, asking, start, end }) => {
    const { query } = args
    if (query === undefined) {
      const { data } = await asking.json<PrometheusAnswer<readonly string[]>>({ path: '/api/v1/label/__name__/values' })
      return { estimate: undefined, rows: listed(data.map((name) => ({ name }))) }
    }
    const to = secondsOf(end)
    if (args.start === undefined) {
      const range = new URLSearchParams({ start: String(to - LOOKBACK_SECONDS), end: String(to) })
      const estimate = await samplesOf(asking, query, range, 1)
      const body = new URLSearchParams({ query, time: String(to) })
      const { data } = await asking.json<PrometheusAnswer<Result>>({ path: '/api/v1/query', body })
      return { estimate, rows: listed(rowsOf(data)) }
    }
    const from = secondsOf(start)
    const step = args.step ?? Math.max(0.001, Math.ceil(((to - from) * 1000) / TIME_STEPS) / 1000)
    const range = new URLSearchParams({ start: String(from), end: String(to) })
    const estimate = await samplesOf(asking, query, range, Math.floor((to - from) / step) + 1)
    const body = new URLSearchParams({ query, start: String(from), end: String(to), step: String(step) })
    const { data } = await asking.json<PrometheusAnswer<Result>>({ path: '/api/v1/query_range', body })
    return { estimate, rows: listed(rowsOf(data)) }
  },
})
