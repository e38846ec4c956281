import type { Diagnostic } from '../../../src/base/index.ts'
import {
  Instant,
  JsonText,
  batchOfRows,
  field,
  type RecordBatch,
  type Row,
  type Value,
} from '../../../src/data/index.ts'
import type { Expr } from '../../../src/plan/index.ts'
import {
  KeyRing,
  createApp,
  defaultServerLimits,
  hashKey,
  type App,
  type KeyRecord,
  type SearchAnswer,
  type SearchRequest,
  type ServerContext,
} from '../../../src/server/index.ts'
import { answersByWorker, ingestLoopback, loopback } from './loopback.ts'

export const SALT = '0123456789abcdef'
export const KEY = 'test-key-of-everybody'

export function key(key: string, rest: Partial<KeyRecord> = {}): KeyRecord {
  return {
    hash: hashKey(SALT, key),
    email: undefined,
    roles: new Set(['read', 'write', 'admin']),
    backends: undefined,
    ...rest,
  }
}

/** Creates a row from JSON values. `{"time": ns}` and `{"json": text}` stand for value types that JSON lacks. */
export function row(fields: Readonly<Record<string, unknown>>): Row {
  return new Map(Object.entries(fields).map(([name, value]) => [name, toValue(value)]))
}

function toValue(value: unknown): Value {
  if (typeof value !== 'object' || value === null) return value as Value
  if ('time' in value) return new Instant(BigInt(String(value.time)))
  if ('integer' in value) return BigInt(String(value.integer))
  if ('json' in value) return new JsonText(String(value.json))
  throw new Error(`no value: ${JSON.stringify(value)}`)
}

/**
 * Creates a batch from rows. A column with a `null` counts as requested by name; other columns are omitted from rows
 * that lack them.
 */
export function batchOf(rows: readonly Row[]): RecordBatch {
  const names = new Set(rows.flatMap((given) => [...given.keys()]))
  const isNamed = (name: string): boolean => rows.some((given) => given.get(name) === null)
  const fields = [...names].map((name) => field(name, 'any', isNamed(name) ? 'named' : 'dynamic'))
  return batchOfRows({ fields, isOpen: false }, rows)
}

/** A search service that returns fixed rows for every request and records the requests. */
export class GivenRows {
  readonly requests: SearchRequest[] = []
  readonly #batches: readonly (readonly Row[])[]
  readonly #isAggregate: boolean
  readonly #error: unknown
  readonly #diagnostics: readonly Diagnostic[]
  /** Number of batches read so far. */
  taken = 0

  constructor(
    batches: readonly (readonly Row[])[],
    options: { isAggregate?: boolean | undefined; error?: unknown; diagnostics?: readonly Diagnostic[] } = {},
  ) {
    this.#batches = batches
    this.#isAggregate = options.isAggregate ?? false
    this.#error = options.error
    this.#diagnostics = options.diagnostics ?? []
  }

  search(request: SearchRequest): Promise<SearchAnswer> {
    this.requests.push(request)
    const next = (): void => {
      this.taken++
    }
    const batches = this.#batches
    const error = this.#error
    if (error !== undefined && batches.length === 0) return Promise.reject(error)
    return Promise.resolve({
      isAggregate: this.#isAggregate,
      diagnostics: this.#diagnostics,
      // oxlint-disable-next-line require-await
      async *batches() {
        for (const batch of batches) {
          request.signal.throwIfAborted()
          next()
          yield batchOf(batch)
        }
        if (error !== undefined) throw error as Error
      },
    })
  }
}

export interface Logged {
  readonly level: 'info' | 'error'
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
}

export function contextOf(overrides: Partial<ServerContext> = {}, logged: Logged[] = []): ServerContext {
  let count = 0
  return {
    clock: { nowMs: () => 1_767_225_600_000 },
    randomBytes: (length) => Uint8Array.from({ length }, () => ++count % 251),
    log: {
      info: (fields, message) => logged.push({ level: 'info', fields, message }),
      error: (fields, message) => logged.push({ level: 'error', fields, message }),
    },
    limits: defaultServerLimits,
    keys: new KeyRing(SALT, [key(KEY)]),
    backends: [],
    access: undefined,
    isReady: () => true,
    openTo: 'everyone',
    nowNs: () => 1_767_225_600_000_000_000n,
    search: new GivenRows([]),
    metrics: undefined,
    eventList: undefined,
    clusters: undefined,
    workloads: undefined,
    ...overrides,
  }
}

export function appOf(overrides: Partial<ServerContext> = {}, logged: Logged[] = []): App {
  const context = contextOf(overrides, logged)
  // The scope function of a test cannot be sent to a worker; scopes from policies can.
  const isTold = context.access === undefined || context.policies !== undefined
  const workers = answersByWorker && isTold ? loopback(context) : undefined
  return createApp({ ...context, workers, ingest: ingestLoopback(context.ingest) }, { version: '0.0.0' })
}

const nowhere = { kind: 'none' } as const

/** Scope of a caller who sees only rows of the zone `eu`. */
export const zoneIsEu = {
  kind: 'test',
  arg: { kind: 'column', name: 'zone', origin: nowhere },
  test: { kind: 'equals', value: 'eu', isFolded: false, isTyped: false },
  origin: nowhere,
} satisfies Expr

export const JSON_HEADERS = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' }

export const SEARCH = '/api/logs/v2/search'

export const searchBody = { start: '2026-01-01T00:00:00Z', end: '2026-01-02T00:00:00Z', query: '*' }

export interface Sent {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
}

export async function send(app: App, path: string, init: RequestInit = {}): Promise<Sent> {
  const response = await app.fetch(new Request(`http://localhost${path}`, init))
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json' && text !== ''
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
}

export function post(
  app: App,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  return send(app, path, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) })
}
