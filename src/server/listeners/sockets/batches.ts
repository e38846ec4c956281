import { setTimeout } from 'node:timers/promises'
import { BUFFER_BYTES, CHUNK_BYTES, FIRST_RETRY_MS, MAX_RETRY_MS } from '../../../base/index.ts'
import type { Logger } from '../../settings/environment.ts'
import { HttpFault } from '../../errors/http-fault.ts'
import type { IngestReport } from '../../ingest/decoder.ts'
import type { IngestRequest, IngestService } from '../../ingest/ingest-service.ts'

/** A message that waits to be stored. */
export interface WaitingBatch {
  readonly chunks: readonly Uint8Array[]
  /** Format of the message and options of its sender. */
  readonly request: Pick<IngestRequest, 'format' | 'options'>
  /**
   * Content encoding. Default: `identity`. Each compressed message is stored alone; other messages are stored together
   * while their `request` is the same object.
   */
  readonly encoding?: string
  /**
   * Called with the report of the message's batch and the message's index in the batch. Called without arguments if the
   * message could not be stored.
   */
  readonly done?: (report: IngestReport | undefined, index: number) => void
}

export interface BatchesOptions {
  readonly ingest: IngestService
  readonly backend: string | undefined
  readonly log: Logger
  /** Name of the protocol, for the log. */
  readonly name: string
  /** Time for gathering messages into a batch, ms. */
  readonly gatherMs: number
  readonly onStored: (count: number, report: IngestReport) => void
  /** Called with the number of records that were lost. */
  readonly onLost: (count: number) => void
}

function sizeOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0)
}

/** Collects received records and stores them in batches. A batch that cannot be stored at present is retried. */
export class Batches {
  readonly #options: BatchesOptions
  #waiting: WaitingBatch[] = []
  #bytes = 0
  #underWayBytes = 0
  #running: Promise<void> | undefined
  #isFull = false
  #gathered: (() => void) | undefined
  #goOn: (() => void)[] = []
  readonly #ending = new AbortController()

  constructor(options: BatchesOptions) {
    this.#options = options
  }

  get waitingBytes(): number {
    return this.#bytes + this.#underWayBytes
  }

  /** True if senders must wait. Records that arrive while it is true are still accepted. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Calls `goOn` once when records are accepted again. */
  whenRoom(goOn: () => void): void {
    this.#goOn.push(goOn)
  }

  add(waiting: WaitingBatch): void {
    this.#waiting.push(waiting)
    this.#bytes += sizeOf(waiting.chunks)
    this.#running ??= this.#run()
    if (this.#bytes >= CHUNK_BYTES) this.#gathered?.()
    this.#isFull ||= this.waitingBytes > BUFFER_BYTES
  }

  /** Stores the collected records. Records that cannot be stored within the time are lost and reported. */
  async close(withinMs: number): Promise<void> {
    const timer = globalThis.setTimeout(() => this.#ending.abort(), withinMs)
    this.#gathered?.()
    await this.#running
    clearTimeout(timer)
  }

  /** Returns the first waiting records and the following ones that fit into the same batch. */
  #next(): readonly WaitingBatch[] {
    const [first] = this.#waiting
    const isAlone = (each: WaitingBatch): boolean => (each.encoding ?? 'identity') !== 'identity'
    let count = 1
    if (first !== undefined && !isAlone(first))
      while (this.#waiting[count]?.request === first.request && !isAlone(this.#waiting[count] as WaitingBatch)) count++
    return this.#waiting.splice(0, count)
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#bytes < CHUNK_BYTES) await this.#gather()
      const batch = this.#next()
      this.#underWayBytes = batch.reduce((sum, { chunks }) => sum + sizeOf(chunks), 0)
      this.#bytes -= this.#underWayBytes
      const report = await this.#store(batch)
      this.#underWayBytes = 0
      if (report === undefined) this.#options.onLost(batch.length)
      else this.#options.onStored(batch.length, report)
      for (const [index, { done }] of batch.entries()) done?.(report, index)
      if (this.#isFull && this.waitingBytes <= BUFFER_BYTES / 2) {
        this.#isFull = false
        for (const goOn of this.#goOn.splice(0)) goOn()
      }
    }
    this.#running = undefined
  }

  async #gather(): Promise<void> {
    const timer = new AbortController()
    this.#gathered = () => timer.abort()
    await setTimeout(this.#options.gatherMs, undefined, { signal: timer.signal }).catch(() => undefined)
    this.#gathered = undefined
  }

  async #store(batch: readonly WaitingBatch[]): Promise<IngestReport | undefined> {
    const { ingest, backend, log, name } = this.#options
    const { request, encoding = 'identity' } = batch[0] as WaitingBatch
    for (let pauseMs = FIRST_RETRY_MS; ; pauseMs = Math.min(MAX_RETRY_MS, pauseMs * 2)) {
      try {
        // Created for each attempt, because reading a body empties it.
        const body = { chunks: batch.flatMap(({ chunks }) => chunks), encoding }
        return await ingest.ingest({ ...request, backend, table: 'logs', body })
      } catch (error) {
        const isPassing = error instanceof HttpFault && [429, 503, 507].includes(error.status)
        const reason = error instanceof Error ? error.message : String(error)
        if (!isPassing || this.#ending.signal.aborted) {
          log.error({ reason }, `messages of ${name} are lost: they cannot be stored`)
          return undefined
        }
        if (pauseMs === FIRST_RETRY_MS) log.error({ reason }, `messages of ${name} wait: they cannot be stored now`)
        await setTimeout(pauseMs, undefined, { signal: this.#ending.signal }).catch(() => undefined)
      }
    }
  }
}
