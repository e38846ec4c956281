import { createServer, type SluiceServer } from '../../src/server/index.ts'
import type { Vector, Verdict } from './outcome.ts'
import { compareLists } from './traceql-lists.ts'
import { exportsOf } from './traceql-data.ts'

/** A request to the reference implementation, and the recorded answer. */
export interface TraceqlVector extends Vector {
  readonly id: string
  readonly class: string
  readonly kind?: 'search' | 'range' | 'instant'
  readonly query?: string
  readonly params: Readonly<Record<string, string>> | readonly (readonly [string, string])[]
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly status: number
  readonly body?: unknown
  readonly text?: string
  readonly error?: string
  readonly contentType?: string
  readonly cut?: boolean
  readonly unstable?: boolean
}

const HEADERS = { Authorization: 'Bearer key-of-the-vectors' }

/** Starts a server that holds the spans of the vectors. */
export async function traceServer(data: string): Promise<SluiceServer> {
  const server = await createServer({ keys: ['key-of-the-vectors'] })
  for (const body of exportsOf(data)) {
    const headers = { ...HEADERS, 'Content-Type': 'application/json' }
    const request = new Request('http://localhost/v1/traces', { method: 'POST', headers, body: JSON.stringify(body) })
    const sent = await server.fetch(request)
    if (sent.status !== 200) throw new Error(`an export is answered ${sent.status}: ${await sent.text()}`)
  }
  return server
}

const PATHS = { search: '/api/search', range: '/api/metrics/query_range', instant: '/api/metrics/query' } as const

type Json = unknown

/** Sorts a list by the JSON of its items, because the reference implementation's order is random. */
function sorted(items: readonly Json[]): readonly Json[] {
  return items
    .map((item) => [JSON.stringify(item), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, item]) => item)
}

/** Members that are not compared: statistics, exemplars, and `spanSet`, which repeats the first item of `spanSets`. */
const LEFT_OUT = new Set(['metrics', 'spanSet', 'exemplars'])

function comparable(value: Json, isCut: boolean): Json {
  if (Array.isArray(value)) return sorted(value.map((item) => comparable(item, isCut)))
  if (typeof value !== 'object' || value === null) return value
  if ('timestampMs' in value) return [value.timestampMs, 'value' in value ? value.value : 0]
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !LEFT_OUT.has(name) && !(isCut && name === 'spans'))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, comparable(member, isCut)]),
  )
}

/** Largest relative difference between two numbers that count as equal. */
const TOLERANCE = 1e-9

/** Describes the first difference between two values; `undefined` if there is none. */
function difference(actual: Json, expected: Json, place = ''): string | undefined {
  if (typeof actual === 'number' && typeof expected === 'number') {
    const bound = TOLERANCE * Math.max(Math.abs(actual), Math.abs(expected))
    return Math.abs(actual - expected) <= bound ? undefined : `${place}: ${actual}, wanted ${expected}`
  }
  if (typeof actual !== 'object' || typeof expected !== 'object' || actual === null || expected === null)
    return actual === expected
      ? undefined
      : `${place}: ${JSON.stringify(actual)?.slice(0, 300)}, wanted ${JSON.stringify(expected)?.slice(0, 300)}`
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length !== expected.length)
    return `${place}: ${actual.length} items, wanted ${expected.length}: ${JSON.stringify(actual).slice(0, 300)}, wanted ${JSON.stringify(expected).slice(0, 300)}`
  for (const name of new Set([...Object.keys(actual), ...Object.keys(expected)])) {
    const found = difference(
      (actual as Record<string, Json>)[name],
      (expected as Record<string, Json>)[name],
      `${place}/${name}`,
    )
    if (found !== undefined) return found
  }
  return undefined
}

function requestOf(vector: TraceqlVector): Request {
  const pairs = Array.isArray(vector.params) ? vector.params : Object.entries(vector.params)
  const search = new URLSearchParams(
    pairs.map(([name, value]: readonly [string, string]): [string, string] => [name, value]),
  )
  if (vector.query !== undefined) search.set('q', vector.query)
  const path = vector.path ?? PATHS[vector.kind ?? 'search']
  return new Request(`http://localhost${path}?${search.toString()}`, {
    method: vector.method ?? 'GET',
    headers: { ...HEADERS, ...vector.headers },
  })
}

/** Sends a recorded request to a server and compares the answer with the recorded one. */
export async function checkTraceql(vector: TraceqlVector, server: SluiceServer): Promise<Verdict> {
  if (vector.unstable === true) return { skip: 'the answer of the reference is by chance' }
  const request = requestOf(vector)
  const response = await server.fetch(request)
  const text = await response.clone().text()
  const failed = (reason: string): Verdict => ({
    failure: `${vector.class} ${vector.query ?? decodeURIComponent(request.url.slice(16))}: ${reason}`,
  })
  if (response.status !== vector.status)
    return failed(
      `${response.status} ${text.slice(0, 300)}, wanted ${vector.status} ${vector.error ?? vector.text ?? ''}`,
    )
  const wanted = vector.error ?? vector.text
  if (wanted !== undefined && vector.body === undefined)
    return text.trim() === wanted.trim() ? undefined : failed(`${text.trim()}, wanted ${wanted}`)
  if (vector.body === undefined) return undefined
  const { pathname, searchParams } = new URL(request.url)
  if (/\/search\/tags?\b/.test(pathname)) {
    const verdict = compareLists(decodeURIComponent(pathname), searchParams, JSON.parse(text), vector.body)
    return verdict !== undefined && 'failure' in verdict ? failed(verdict.failure) : verdict
  }
  const isCut = vector.cut === true
  const found = difference(comparable(JSON.parse(text), isCut), comparable(vector.body, isCut))
  return found === undefined ? undefined : failed(found)
}
