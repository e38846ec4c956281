import { seededRandom, type Random } from '../../src/base/index.ts'
import type { Records } from './agent.ts'

/** A planted incident: its rows, and the text that identifies its cause. */
export interface Incident {
  readonly name: string
  readonly records: Records
  readonly fact: string
}

const START_MS = Date.UTC(2026, 2, 10, 10)
const MINUTES = 120
const SERVICES = ['frontend', 'checkout', 'payments', 'catalog', 'search', 'mailer', 'ledger', 'auth']
const REGIONS = ['eu-west', 'us-east']
const CUSTOMERS = ['acme', 'globex', 'initech', 'umbrella', 'hooli']
const ROUTINE = [
  (n: number) => `request completed in ${n} ms`,
  (n: number) => `cache refreshed with ${n} entries`,
  (n: number) => `session ${n} opened`,
]

interface Place {
  readonly workload: string
  readonly pod: string
  readonly version: string
  readonly region: string
  readonly customer: string
}

function placeOf(random: Random, workload: string): Place {
  const at = random.below(3)
  return {
    workload,
    pod: `${workload}-${at}`,
    version: at === 2 ? '1.4.1' : '1.4.0',
    region: random.pick(REGIONS),
    customer: random.pick(CUSTOMERS),
  }
}

const timeOf = (ms: number): string => new Date(ms).toISOString()

/** Draws two hours of routine data: logs, some unrelated errors and warnings, spans, and events. */
function routine(random: Random): { logs: object[]; spans: object[]; events: object[] } {
  const logs: object[] = []
  const spans: object[] = []
  const events: object[] = []
  for (let at = 0; at < MINUTES * 30; at++) {
    const ms = START_MS + random.below(MINUTES * 60_000)
    const place = placeOf(random, random.pick(SERVICES))
    const drawn = random.next()
    const level = drawn < 0.005 ? 'error' : drawn < 0.02 ? 'warn' : 'info'
    const content =
      level === 'error'
        ? 'request aborted by client'
        : level === 'warn'
          ? 'slow client'
          : random.pick(ROUTINE)(random.below(900))
    logs.push({ _time: timeOf(ms), level, ...place, content })
    if (at % 3 === 0)
      spans.push({
        _time: timeOf(ms),
        trace_id: `trace${at}`,
        span_id: `span${at}`,
        span_name: `GET /${place.workload}`,
        workload: place.workload,
        duration_seconds: 0.01 + random.below(200) / 1000,
      })
    if (at % 200 === 0)
      events.push({
        _time: timeOf(ms),
        type: 'Normal',
        reason: 'Pulled',
        message: 'image pulled',
        workload: place.workload,
      })
  }
  return { logs, spans, events }
}

/** Draws symptoms: from `fromMs` on, some services fail with messages that name no cause. */
function symptoms(random: Random, fromMs: number, where: Partial<Place> = {}): object[] {
  return Array.from({ length: 400 }, () => {
    const place = { ...placeOf(random, random.pick(['frontend', 'checkout'])), ...where }
    const content = random.pick(['upstream request failed with status 503', 'timeout while calling a dependency'])
    return { _time: timeOf(fromMs + random.below(20 * 60_000)), level: 'error', ...place, content }
  })
}

/** Causes that one service logs a few times just before the symptoms. */
const LOGGED: readonly (readonly [string, string])[] = [
  ['certificate', 'certificate of ledger.internal has expired'],
  ['disk', 'no space left on device /var/lib/ledger'],
  ['names', 'lookup of ledger.internal failed: NXDOMAIN'],
  ['pool', 'connection pool of ledger-db exhausted'],
  ['configuration', 'configuration reloaded: request_timeout is now 5 ms'],
  ['lock', 'waiting for a lock that migration 0042 holds'],
  ['clock', 'clock is 412 s behind, tokens are rejected'],
  ['limit', 'upstream bank-api answers 429: quota exceeded'],
]

/** Causes that affect a single value of a field; all errors have that value. */
const PLACES: readonly (readonly [keyof Place, string])[] = [
  ['version', '1.4.1'],
  ['pod', 'checkout-1'],
  ['region', 'us-east'],
  ['customer', 'umbrella'],
  ['workload', 'checkout'],
]

/** Causes that Kubernetes reports as events. */
const EVENTS: readonly (readonly [string, string])[] = [
  ['OOMKilling', 'container ledger was killed: memory limit of 512Mi reached'],
  ['FailedScheduling', 'no node has 4 free cores for ledger'],
  ['Evicted', 'pod ledger-1 was evicted: node disk pressure'],
]

/** Causes that only a trace shows: a call that takes nearly all of the time of slow requests. */
const CALLS: readonly string[] = [
  'SELECT balance FOR UPDATE',
  'POST bank-api/transfer',
  'GET feature-flags/all',
  'redis KEYS session:*',
]

function slowTraces(random: Random, fromMs: number, call: string): object[] {
  return Array.from({ length: 40 }, (_, at) => {
    const ms = fromMs + random.below(20 * 60_000)
    const trace_id = `slow${at}`
    const span = (
      id: string,
      parent: string | undefined,
      span_name: string,
      workload: string,
      duration_seconds: number,
    ) => ({
      _time: timeOf(ms),
      trace_id,
      span_id: `${trace_id}-${id}`,
      ...(parent === undefined ? {} : { parent_span_id: `${trace_id}-${parent}` }),
      span_name,
      workload,
      duration_seconds,
    })
    return [
      span('a', undefined, 'POST /checkout', 'frontend', 4.2),
      span('b', 'a', 'POST /pay', 'payments', 4.1),
      span('c', 'b', call, 'ledger', 4),
    ]
  }).flat()
}

/** Returns twenty incidents, each in a different minute within two hours of routine data. */
export function incidents(): readonly Incident[] {
  const made: Incident[] = []
  const plant = (name: string, fact: string, add: (random: Random, fromMs: number) => Partial<Records>): void => {
    const random = seededRandom(made.length + 1)
    const { logs, spans, events } = routine(random)
    const added = add(random, START_MS + (30 + random.below(60)) * 60_000)
    made.push({
      name,
      fact,
      records: {
        logs: [...logs, ...(added.logs ?? [])],
        spans: [...spans, ...(added.spans ?? [])],
        events: [...events, ...(added.events ?? [])],
      },
    })
  }
  for (const [name, content] of LOGGED)
    plant(name, content, (random, fromMs) => {
      const cause = (at: number) => ({
        _time: timeOf(fromMs - at * 5000),
        level: random.pick(['warn', 'error']),
        ...placeOf(random, 'ledger'),
        content,
      })
      return { logs: [...symptoms(random, fromMs), ...[1, 2, 3].map(cause)] }
    })
  for (const [field, value] of PLACES)
    plant(`errors of one ${field}`, value, (random, fromMs) => ({ logs: symptoms(random, fromMs, { [field]: value }) }))
  for (const [reason, message] of EVENTS)
    plant(reason, message, (random, fromMs) => ({
      logs: symptoms(random, fromMs),
      events: [{ _time: timeOf(fromMs - 20_000), type: 'Warning', reason, message, workload: 'ledger' }],
    }))
  for (const call of CALLS) plant(call, call, (random, fromMs) => ({ spans: slowTraces(random, fromMs, call) }))
  return made
}
