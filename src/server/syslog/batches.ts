import { setTimeout } from 'node:timers/promises'
import { framed } from '../../ingest/agents/index.ts'
import type { Logger } from '../context.ts'
import { HttpFault } from '../http-fault.ts'
import type { IngestService } from '../ingest/ingest-service.ts'

export interface SyslogBatchesOptions {
  readonly ingest: IngestService
  readonly backend: string | undefined
  /** Zone of times that name none. */
  readonly zone: string | undefined
  readonly log: Logger
  /** Messages that are stored. */
  readonly onStored: (count: number) => void
  /** Messages that nobody can store any more. */
  readonly onLost: (count: number) => void
  /** There is room again for senders that wait. */
  readonly onRoom: () => void
}

/** How long messages are gathered before they are stored together. */
const GATHER_MS = 100
/** So many bytes are stored without waiting for more. */
const BATCH_BYTES = 1024 * 1024
/** Messages that wait to be stored; from here on senders have to wait. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 5000

/** Gathers messages and stores them, one batch after another; what cannot be stored yet is tried again. */
export class SyslogBatches {
  readonly #options: SyslogBatchesOptions
  #chunks: Uint8Array[] = []
  #count = 0
  #bytes = 0
  #underWayBytes = 0
  #running: Promise<void> | undefined
  #isFull = false
  #gathered: (() => void) | undefined
  readonly #ending = new AbortController()

  constructor(options: SyslogBatchesOptions) {
    this.#options = options
  }

  get waitingBytes(): number {
    return this.#bytes + this.#underWayBytes
  }

  /** False when senders have to wait until `onRoom`; the message is taken all the same. */
  add(message: Uint8Array): boolean {
    for (const chunk of framed(message)) {
      this.#chunks.push(chunk)
      this.#bytes += chunk.length
    }
    this.#count++
    this.#running ??= this.#run()
    if (this.#bytes >= BATCH_BYTES) this.#gathered?.()
    this.#isFull ||= this.waitingBytes > MAX_WAITING_BYTES
    return !this.#isFull
  }

  get isFull(): boolean {
    return this.#isFull
  }

  /** Stores what is there; what cannot be stored within the time is lost, and told. */
  async close(withinMs: number): Promise<void> {
    const timer = globalThis.setTimeout(() => this.#ending.abort(), withinMs)
    this.#gathered?.()
    await this.#running
    clearTimeout(timer)
  }

  async #run(): Promise<void> {
    while (this.#count > 0) {
      if (this.#bytes < BATCH_BYTES) await this.#gather()
      const chunks = this.#chunks
      const count = this.#count
      this.#underWayBytes = this.#bytes
      this.#chunks = []
      this.#count = 0
      this.#bytes = 0
      const isStored = await this.#store(chunks)
      this.#underWayBytes = 0
      if (isStored) this.#options.onStored(count)
      else this.#options.onLost(count)
      if (this.#isFull && this.waitingBytes <= MAX_WAITING_BYTES / 2) {
        this.#isFull = false
        this.#options.onRoom()
      }
    }
    this.#running = undefined
  }

  async #gather(): Promise<void> {
    const timer = new AbortController()
    this.#gathered = () => timer.abort()
    await setTimeout(GATHER_MS, undefined, { signal: timer.signal }).catch(() => undefined)
    this.#gathered = undefined
  }

  async #store(chunks: readonly Uint8Array[]): Promise<boolean> {
    const { ingest, backend, zone, log } = this.#options
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      try {
        const options = zone === undefined ? undefined : { zone }
        // Whoever takes the body empties it.
        const body = { chunks: [...chunks], encoding: 'identity' }
        await ingest.ingest({ backend, table: 'logs', format: 'syslog', options, body })
        return true
      } catch (error) {
        const isPassing = error instanceof HttpFault && (error.status === 503 || error.status === 507)
        const reason = error instanceof Error ? error.message : String(error)
        if (!isPassing || this.#ending.signal.aborted) {
          log.error({ reason }, 'syslog messages are lost: they cannot be stored')
          return false
        }
        if (pauseMs === FIRST_PAUSE_MS) log.error({ reason }, 'syslog messages wait: they cannot be stored now')
        await setTimeout(pauseMs, undefined, { signal: this.#ending.signal }).catch(() => undefined)
      }
    }
  }
}
