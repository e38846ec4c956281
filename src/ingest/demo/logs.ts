import { Instant, type MutableRow, type Value } from '../../data/index.ts'
import {
  demoCluster,
  demoEnvironment,
  demoWorkloads,
  incident,
  phaseAt,
  type DemoOptions,
  type DemoWorkload,
  type IncidentPhase,
} from './incident.ts'
import { seededRandom, type Random } from '../../base/index.ts'

export interface DemoLogOptions extends DemoOptions {
  readonly rows: number
  /**
   * Spans in time order. A record gets the trace id of the latest request; an error gets that of the latest failed
   * request.
   */
  readonly spans?: readonly MutableRow[]
}

/** A request's trace, and the time when the request began, in nanoseconds since 1970. */
interface Request {
  readonly timeNs: bigint
  readonly traceId: Value
}

/**
 * Longest time between a failed request and an error record with its trace, in nanoseconds. Errors are logged after
 * time-outs.
 */
const MAX_DELAY_NS = 10_000_000_000n

/** The traces whose ids log records can have. */
class Traces {
  readonly #all: readonly Request[]
  readonly #failed: readonly Request[]

  constructor(spans: readonly MutableRow[]) {
    const roots = spans.filter((span) => !span.has('parent_span_id'))
    const requests = (rows: readonly MutableRow[]): readonly Request[] =>
      rows.map((row) => ({ timeNs: (row.get('_time') as Instant).ns, traceId: row.get('trace_id') ?? null }))
    this.#all = requests(roots)
    this.#failed = requests(roots.filter((row) => row.get('status') === 'error'))
  }

  /**
   * Returns the trace of the latest request before a time; with `hasFailed`, of the latest failed request if there is
   * one.
   */
  at(timeNs: bigint, hasFailed: boolean): Value | undefined {
    const failed = hasFailed ? latest(this.#failed, timeNs) : undefined
    const isNear = failed !== undefined && timeNs - failed.timeNs < MAX_DELAY_NS
    return (isNear ? failed : latest(this.#all, timeNs))?.traceId
  }
}

function latest(requests: readonly Request[], timeNs: bigint): Request | undefined {
  let low = 0
  let high = requests.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((requests[middle]?.timeNs ?? 0n) <= timeNs) low = middle + 1
    else high = middle
  }
  return requests[low - 1]
}

interface Message {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly content: string
  readonly fields?: Readonly<Record<string, Value>>
}

type Writer = (random: Random) => Message

function requestLine(random: Random, path: string, slow: number): Message {
  const durationMs = Math.round((5 + -Math.log(1 - random.next()) * 40) * slow * 1000) / 1000
  const method = random.pick(['GET', 'GET', 'GET', 'POST'])
  return {
    level: 'info',
    content: `${method} ${path} completed in ${durationMs} ms`,
    fields: { duration_ms: durationMs, status: 200 },
  }
}

const PATHS: readonly string[] = ['/cart', '/checkout', '/products', '/products/42', '/orders', '/login']

const calm: readonly Writer[] = [
  (random) => requestLine(random, random.pick(PATHS), 1),
  (random) => requestLine(random, random.pick(PATHS), 1),
  (random) => requestLine(random, random.pick(PATHS), 1),
  (random) => ({ level: 'debug', content: `cache hit for key product:${random.below(5000)}` }),
  (random) => ({ level: 'info', content: `session ${random.hex(8)} refreshed for user${1000 + random.below(9000)}` }),
  (random) => ({
    level: 'info',
    content: `order ${100000 + random.below(900000)} accepted, total ${random.below(40000) / 100} EUR`,
  }),
  (random) => ({ level: 'debug', content: `connection pool: ${2 + random.below(6)} of 20 in use` }),
]

const rareTrouble: readonly Writer[] = [
  (random) => ({
    level: 'warn',
    content: `retry ${1 + random.below(3)} of 5 for call to catalog`,
    fields: { status: 503 },
  }),
  () => ({
    level: 'error',
    content: 'connection reset by peer while reading response header',
    fields: { status: 502 },
  }),
  (random) => ({ level: 'warn', content: `slow query: ${800 + random.below(700)} ms for SELECT orders` }),
]

const troubleOf: Readonly<Record<string, readonly Writer[]>> = {
  payments: [
    (random) => ({
      level: 'warn',
      content: `connection pool: ${17 + random.below(4)} of 20 in use, waiting for a connection`,
    }),
    () => ({
      level: 'error',
      content: 'connection pool exhausted: timeout after 5000 ms waiting for a connection to ledger-db',
    }),
    (random) => ({
      level: 'warn',
      content: `heap at ${82 + random.below(16)} % of limit, garbage collection took ${200 + random.below(900)} ms`,
    }),
  ],
  'checkout-api': [
    (random) => ({
      level: 'error',
      content: `call to payments failed: timeout after ${5000 + random.below(40)} ms`,
      fields: { duration_ms: 5000 + random.below(40000) / 1000, status: 504 },
    }),
    (random) => ({
      level: 'warn',
      content: `retry ${1 + random.below(5)} of 5 for call to payments`,
      fields: { status: 503 },
    }),
  ],
  frontend: [
    () => ({
      level: 'error',
      content: 'checkout failed: upstream timeout',
      fields: { status: 504, duration_ms: 5012.5 },
    }),
  ],
}

const TROUBLE_SHARE: Readonly<Record<IncidentPhase, number>> = { calm: 0, rising: 0.15, broken: 0.6, recovering: 0.2 }

function messageFor(workload: DemoWorkload, phase: IncidentPhase, random: Random): Message {
  const trouble = troubleOf[workload.name]
  if (trouble !== undefined && random.next() < TROUBLE_SHARE[phase]) return random.pick(trouble)(random)
  return random.next() < 0.01 ? random.pick(rareTrouble)(random) : random.pick(calm)(random)
}

interface Milestone {
  readonly minutesAgo: number
  readonly workload: string
  readonly message: Message
}

const milestones: readonly Milestone[] = [
  {
    minutesAgo: incident.deployMinutesAgo,
    workload: 'payments',
    message: {
      level: 'info',
      content: `starting payments ${incident.badVersion}`,
      fields: { version: incident.badVersion },
    },
  },
  {
    minutesAgo: incident.outOfMemoryMinutesAgo,
    workload: 'payments',
    message: { level: 'error', content: 'fatal: out of memory, allocation of 67108864 bytes failed' },
  },
  {
    minutesAgo: incident.rollbackMinutesAgo,
    workload: 'payments',
    message: {
      level: 'info',
      content: `starting payments ${incident.goodVersion}`,
      fields: { version: incident.goodVersion },
    },
  },
  {
    minutesAgo: incident.recoveredMinutesAgo,
    workload: 'checkout-api',
    message: { level: 'info', content: 'circuit breaker for payments closed again' },
  },
]

function rowFor(timeNs: bigint, workload: DemoWorkload, message: Message, random: Random): MutableRow {
  const row: MutableRow = new Map<string, Value>([
    ['_time', new Instant(timeNs)],
    ['level', message.level],
    ['workload', workload.name],
    ['namespace', workload.namespace],
    ['env', demoEnvironment],
    ['cluster', demoCluster],
    ['pod', random.pick(workload.pods)],
    ['trace_id', random.hex(32)],
  ])
  for (const [name, value] of Object.entries(message.fields ?? {})) row.set(name, value)
  row.set('content', message.content)
  return row
}

function pickWorkload(random: Random): DemoWorkload {
  const total = demoWorkloads.reduce((sum, w) => sum + w.weight, 0)
  let at = random.next() * total
  return demoWorkloads.find((w) => (at -= w.weight) < 0) ?? demoWorkloads[0]
}

/** Returns log records, oldest first. The last hour contains the incident and a third of the records. */
export function demoLogs(options: DemoLogOptions): MutableRow[] {
  const random = seededRandom(options.seed)
  const hourNs = 3_600_000_000_000
  const recent = Math.floor(options.rows / 3)
  const agesNs: number[] = []
  for (let i = 0; i < options.rows; i++) {
    agesNs.push(i < recent ? random.next() * hourNs : hourNs + random.next() * (options.hours - 1) * hourNs)
  }
  agesNs.sort((a, b) => b - a)
  const rows = agesNs.map((ageNs) => {
    const workload = pickWorkload(random)
    const message = messageFor(workload, phaseAt(ageNs / 60e9), random)
    return { ageNs, row: rowFor(options.nowNs - BigInt(Math.round(ageNs)), workload, message, random) }
  })
  for (const { minutesAgo, workload, message } of milestones) {
    const found = demoWorkloads.find((w) => w.name === workload) ?? demoWorkloads[0]
    const ageNs = minutesAgo * 60e9
    rows.push({ ageNs, row: rowFor(options.nowNs - BigInt(ageNs), found, message, random) })
  }
  const traces = new Traces(options.spans ?? [])
  for (const { ageNs, row } of rows) {
    const traceId = traces.at(options.nowNs - BigInt(Math.round(ageNs)), row.get('level') === 'error')
    if (traceId !== undefined) row.set('trace_id', traceId)
  }
  return rows.toSorted((a, b) => b.ageNs - a.ageNs).map((entry) => entry.row)
}
