/**
 * The witness: a process that measures how the service responds during an attack. It is separate, so that creating
 * hostile requests does not delay it. It requests `/healthz` and a light query at a steady pace, whether or not earlier
 * requests were answered. It also watches the service's memory and kills the service above a limit.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import process from 'node:process'
import { logSearchBody } from './attack.ts'
import { familyOf, lightKey, type AddressParts } from './service.ts'

export interface WitnessData {
  readonly pid: number
  readonly address: AddressParts
  /** Resident size in bytes at which the service is killed, as the system would do on a small machine. */
  readonly ceilingBytes: number
  /** Number of beats between two light queries; a beat lasts `PACE_MS`. */
  readonly lightBeats: number
}

export interface WaitTimes {
  readonly count: number
  readonly p99Ms: number
  readonly longestMs: number
}

/** Measurements from the `begin` message to the `end` message. */
export interface Testimony {
  readonly health: WaitTimes
  readonly light: WaitTimes
  /** Wait times of a request for a resource. */
  readonly resource: WaitTimes
  /**
   * 99th percentile of the witness's own delay, in milliseconds. If it is large, the machine is busy and the other
   * times mean nothing.
   */
  readonly ownLateMs: number
  readonly peakBytes: number
  readonly startBytes: number
  readonly wasEnded: boolean
  /** Statuses other than 200 that the light caller received. */
  readonly refused: readonly string[]
}

const PACE_MS = 20
/** Largest number of open requests. It is below the number of requests that one key may have in flight. */
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

  /** Returns the measurements since the last call. An open request counts with its wait so far. */
  take(): WaitTimes {
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

/** Number of beats between two lookups of the service's child processes. */
const FAMILY_BEATS = 10
let beats = 0
let children: readonly number[] = []

/** Returns the resident bytes of the service's child processes. */
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
      // The process has already ended.
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
      // Resets the high-water mark to the current resident size.
      writeFileSync(`/proc/${pid}/clear_refs`, '5')
    } catch {
      // The process has ended, or the system does not allow resetting the high-water mark. Then the periodic samples
      // must suffice.
    }
    // Requests are sent immediately, so that they overlap even an attack shorter than a beat.
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
