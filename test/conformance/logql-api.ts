import { createServer, type SluiceServer } from '../../src/server/index.ts'
import { compareSeries, compareStreams, sortedJson, type Series, type Stream } from './logql-compare.ts'
import type { Vector, Verdict } from './outcome.ts'

/** A request to an endpoint of the reference implementation, and the recorded answer. */
export interface ApiVector extends Vector {
  readonly id: string
  readonly class: string
  readonly server: 'A' | 'S' | 'D'
  readonly method: string
  readonly path: string
  readonly params?: readonly (readonly [string, string])[]
  readonly headers?: Readonly<Record<string, string>>
  readonly status: number
  readonly resultType?: string
  readonly result?: readonly unknown[]
  readonly data?: unknown
  readonly body?: Readonly<Record<string, unknown>>
  readonly text?: string
  readonly error?: string
  readonly approximate?: boolean
  readonly unaligned?: boolean
}

const HEADERS = { Authorization: 'Bearer key-of-the-vectors' }
const PUSHED_AT_ONCE = 1000

/** Starts a server with the recorded entries. `isDiscovering` enables the detection of services and levels. */
export async function apiServer(data: string, isDiscovering: boolean): Promise<SluiceServer> {
  const server = await createServer({ keys: ['key-of-the-vectors'], limits: { discoversLabels: isDiscovering } })
  const known = new Set<string>()
  const streams = data
    .split('\n')
    .filter((line) => line !== '' && !known.has(line) && known.add(line))
    .map((line) => {
      const {
        ts,
        labels,
        meta,
        line: text,
      } = JSON.parse(line) as {
        ts: string
        labels: Record<string, string>
        meta?: Record<string, string>
        line: string
      }
      return { stream: labels, values: [[ts, text, meta ?? {}]] }
    })
  for (let from = 0; from < streams.length; from += PUSHED_AT_ONCE) {
    const body = JSON.stringify({ streams: streams.slice(from, from + PUSHED_AT_ONCE) })
    const headers = { ...HEADERS, 'Content-Type': 'application/json' }
    const sent = await server.fetch(new Request('http://localhost/loki/api/v1/push', { method: 'POST', headers, body }))
    if (sent.status !== 204) throw new Error(`a push is answered ${sent.status}: ${await sent.text()}`)
  }
  return server
}

/** Members whose values the reference implementation estimates or chooses at random. */
const ESTIMATES = new Set(['cardinality', 'bytes', 'chunks', 'value', 'values', 'entries', 'streams', 'version'])

/** Normalizes an answer for comparison as text: sorts the lists, and removes estimates. */
function comparable(value: unknown, isApproximate: boolean): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => comparable(item, isApproximate))
    return items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .filter(([name]) => name !== 'cardinality' && !(isApproximate && ESTIMATES.has(name)))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, comparable(member, isApproximate)])
}

function sameData(actual: unknown, expected: unknown, isApproximate: boolean): Verdict {
  const [got, wanted] = [actual, expected].map((value) => JSON.stringify(comparable(value, isApproximate)))
  return got === wanted ? undefined : { failure: `has ${got?.slice(0, 400)}, wanted ${wanted?.slice(0, 400)}` }
}

function resultVerdict(vector: ApiVector, data: { resultType?: string; result?: unknown }): Verdict {
  if (data.resultType !== vector.resultType) return { failure: `a ${data.resultType}, wanted a ${vector.resultType}` }
  if (vector.approximate === true) {
    const metrics = (list: unknown): readonly string[] =>
      (list as readonly Series[]).map(({ metric }) => sortedJson(metric)).sort()
    return sameData(metrics(data.result), metrics(vector.result), false)
  }
  const difference =
    data.resultType === 'streams'
      ? compareStreams(data.result as readonly Stream[], vector.result as readonly Stream[])
      : compareSeries(data.result as readonly Series[], vector.result as readonly Series[], false)
  return difference === undefined ? undefined : { failure: difference }
}

/** Sends a recorded request to a server and compares the answer with the recorded one. */
export async function checkApi(vector: ApiVector, server: SluiceServer): Promise<Verdict> {
  if (vector.path.endsWith('/patterns') && vector.status === 200)
    return { skip: 'patterns are of any time, not of the last hours' }
  if (vector.path === '/log_level' || vector.path.endsWith('/buildinfo'))
    return { skip: 'this server is another program' }
  if (vector.server === 'S') return { skip: 'a range is not moved to multiples of its step' }
  const search = new URLSearchParams((vector.params ?? []).map(([name, value]): [string, string] => [name, value]))
  const request = new Request(`http://localhost${vector.path}?${search.toString()}`, {
    method: vector.method,
    headers: { ...HEADERS, ...vector.headers },
  })
  const response = await server.fetch(request)
  const text = await response.text()
  const told = (verdict: Verdict): Verdict =>
    verdict !== undefined && 'failure' in verdict
      ? { failure: `${vector.path} ${decodeURIComponent(search.toString())}: ${verdict.failure}` }
      : verdict
  if (response.status !== vector.status)
    return told({ failure: `${response.status} ${text.slice(0, 300)}, wanted ${vector.status} ${vector.error ?? ''}` })
  if (vector.status >= 400)
    return text.trim() === vector.error?.trim() ? undefined : told({ failure: `${text}, wanted ${vector.error}` })
  const isApproximate = vector.approximate === true
  const answer = JSON.parse(text) as { data?: { resultType?: string; result?: unknown } }
  if (vector.resultType !== undefined) return told(resultVerdict(vector, answer.data ?? {}))
  // With a limit, the reference implementation chooses the listed fields at random.
  const isCut = search.has('limit') || search.has('field_limit')
  if ((isApproximate || isCut) && vector.path.endsWith('/detected_fields') && vector.server === 'A') return undefined
  if (vector.data !== undefined) return told(sameData(answer.data, vector.data, isApproximate))
  return told(sameData(answer, vector.body ?? {}, isApproximate))
}
