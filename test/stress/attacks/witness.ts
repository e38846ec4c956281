/**
 * A process of its own, so that the making of hostile requests does not delay it: asks for `/healthz` and a light query at
 * a steady pace, whatever became of those before, and watches the memory of the service, which it ends above a ceiling.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import process from 'node:process'
import { logSearchBody } from './attack.ts'
import { familyOf, lightKey, type AddressParts } from './service.ts'

export interface WitnessData {
  readonly pid: number
  readonly address: AddressParts
  /** Resident bytes at which the service is ended, as the system would on a small machine. */
  readonly ceilingBytes: number
  /** How many beats lie between two light queries. */
  readonly lightBeats: number
}

export interface PendingReads {
  readonly count: number
  readonly p99Ms: number
  readonly longestMs: number
}

/** What was seen between two reports. */
export interface Testimony {
  readonly health: PendingReads
  readonly light: PendingReads
  /** A request for a resource. */
  readonly resource: PendingReads
  /** How late the witness itself was, 99th percentile: on a busy machine nothing can be said of others. */
  readonly ownLateMs: number
  readonly peakBytes: number
  readonly startBytes: number
  readonly wasEnded: boolean
  /** Statuses other than 200 that the light caller got. */
  readonly refused: readonly string[]
}

const PACE_MS = 20
/** Fewer than one key may have in work. */
const MAX_OPEN = 50

const { pid, address, ceilingBytes, lightBeats } = JSON.parse(process.argv[2] ?? '') as WitnessData

const LIGHT = 'workload:="checkout-api" level:error | limit 5'

class Pulse {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_OPEN })
  readonly #open = new Set<number>()
  readonly #sending: { readonly path: string; readonly method: string; readonly body?: string }
  #waitsMs: number[] = []
  refused = new Set<string>()

  constructor(sending: { readonly path: string; readonly method: string; readonly body?: string }) {
    this.#sending = sending
  }

  beat(): void {
    if (this.#open.size >= MAX_OPEN) return
    const startedMs = performance.now()
    this.#open.add(startedMs)
    const end = (status: string): void => {
      if (!this.#open.delete(startedMs)) return
      this.#waitsMs.push(performance.now() - startedMs)
      if (status !== '200') this.refused.add(status)
    }
    const { body, ...where } = this.#sending
    const outgoing = request({
      ...address,
      ...where,
      agent: this.#agent,
      headers: {
        Authorization: `Bearer ${lightKey}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
    })
    outgoing.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'error'))
    outgoing.once('response', (answer) => {
      answer.resume()
      answer.once('error', () => end('cut'))
      answer.once('end', () => end(`${answer.statusCode}`))
    })
    outgoing.end(body)
  }

  /** What was measured since the last call; requests that still wait count with the time so far. */
  take(): PendingReads {
    const nowMs = performance.now()
    const all = [...this.#waitsMs, ...[...this.#open].map((startedMs) => nowMs - startedMs)].sort((a, b) => a - b)
    this.#waitsMs = []
    return {
      count: all.length,
      p99Ms: all[Math.ceil(all.length * 0.99) - 1] ?? 0,
      longestMs: all.at(-1) ?? 0,
    }
  }

  forget(): void {
    this.#open.clear()
    this.#waitsMs = []
    this.refused = new Set()
  }
}

const health = new Pulse({ path: '/healthz', method: 'GET' })
const light = new Pulse({ path: '/api/logs/v2/search', method: 'POST', body: logSearchBody(LIGHT) })
const resource = new Pulse({ path: '/api/monitors/list', method: 'POST', body: '{"limit":10}' })
let startBytes = 0
let wasEnded = false

function residentBytes(of: number, name: 'VmHWM' | 'VmRSS'): number {
  try {
    const status = readFileSync(`/proc/${of}/status`, 'utf8')
    return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

let highBytes = 0

/** How often it is asked which processes the service has started, in beats. */
const FAMILY_BEATS = 10
let beats = 0
let children: readonly number[] = []

/** What its processes beside the first have now. */
function childrenBytes(): number {
  if (beats++ % FAMILY_BEATS === 0) children = familyOf(pid).slice(1)
  return children.reduce((sum, child) => sum + residentBytes(child, 'VmRSS'), 0)
}

function watch(): void {
  const besideBytes = childrenBytes()
  highBytes = Math.max(highBytes, residentBytes(pid, 'VmHWM') + besideBytes)
  if (residentBytes(pid, 'VmRSS') + besideBytes > ceilingBytes && !wasEnded) {
    wasEnded = true
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}

let dueMs = performance.now() + PACE_MS
let lateMs: number[] = []
setInterval(() => {
  const nowMs = performance.now()
  lateMs.push(Math.max(0, nowMs - dueMs))
  dueMs = nowMs + PACE_MS
  watch()
  health.beat()
  if (beats % lightBeats === 0) light.beat()
  resource.beat()
}, PACE_MS)

process.send?.('ready')
process.on('message', (message: 'begin' | 'end') => {
  if (message === 'begin') {
    health.forget()
    light.forget()
    resource.forget()
    lateMs = []
    startBytes = residentBytes(pid, 'VmRSS') + childrenBytes()
    highBytes = startBytes
    try {
      // Sets the high-water mark back to what is resident now.
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
    } catch {
      // It has ended, or the system does not let us: then the samples must do.
    }
    // At once, so that an attack shorter than a beat is seen, however late this process gets a core.
    for (const pulse of [health, light, resource]) pulse.beat()
    return
  }
  watch()
  const testimony: Testimony = {
    health: health.take(),
    light: light.take(),
    resource: resource.take(),
    ownLateMs: lateMs.toSorted((a, b) => a - b)[Math.ceil(lateMs.length * 0.99) - 1] ?? 0,
    startBytes,
    peakBytes: highBytes,
    wasEnded,
    refused: [...new Set([...health.refused, ...light.refused, ...resource.refused])],
  }
  process.send?.(testimony)
})
