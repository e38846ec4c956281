import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'
import {
  RESTART_PAUSE_MS,
  MAX_ATTEMPTS,
  CALL_TIMEOUT_MS,
  CHUNK_BYTES,
  HEARTBEAT_MS,
  ITEMS_PER_CHECKPOINT,
  RESPONSE_TIMEOUT_MS,
  Stall,
  errorCode,
  joinedInto,
  nextTurn,
} from '../../base/index.ts'
import type { LogEnds } from '../../store/durable/index.ts'
import type { Logger } from '../settings/environment.ts'
import type { DeleteRequest, DeletionService } from '../deletion/deleter.ts'
import { fault, type HttpFault } from '../errors/http-fault.ts'
import type { IngestReport } from '../ingest/decoder.ts'
import type { IngestRequest, IngestService } from '../ingest/ingest-service.ts'
import { DROPPED, droppedRows } from '../ingest/store-memory.ts'
import type { Keeping, ReadBack } from '../data-folder/table-persister.ts'
import type { ServerLimits } from '../settings/limits.ts'
import type { DataLoader } from '../data-folder/load-data.ts'
import type { StoreFigures } from '../data-folder/store-gauges.ts'
import { BodyBuffers } from './body-buffers.ts'
import { ingestWords, type FromIngest, type IngestWorkerData, type ToIngest } from './ingest-messages.ts'
import type { ReplicationConnection, ReplicationSource } from './replication.ts'
import { readWords } from '../../store/persistence/index.ts'
import { threadTimes, moduleBeside } from '../../system/index.ts'
import { errorOf } from './serialized-error.ts'

export interface IngestThreadOptions {
  readonly backends: readonly string[]
  readonly limits: ServerLimits
  /** Data folder, which this process has locked and checked. */
  readonly folder: string | undefined
  /** Identity of the lock on the data folder. */
  readonly lock: string | undefined
  readonly keeping: Keeping
  /** Statistics of the thread's store. */
  readonly figures: StoreFigures
  readonly load: DataLoader | undefined
  /** Heap limit of the thread, MiB; exceeding it ends the thread. */
  readonly heapMiB: number
  readonly nowNs: () => bigint
  readonly log: Logger
  /** Called with the port of a background job for the worker pool. */
  readonly onBackground: (port: MessagePort) => void
  /** Called when a new thread has taken over the data, so that readers reconnect. */
  readonly onReplaced: () => void
  /** Called when stored data cannot be replayed any more. */
  readonly onFailed: (error: unknown) => void
  /**
   * Maximum time without a heartbeat, ms, not counting time in which the thread had no core. After this time the thread
   * is ended. Default: 10 s.
   */
  readonly silentMs?: number
}

/** Reason why a thread was lost. */
type Loss = 'memory' | 'crash' | 'silent'

interface Pending {
  readonly reject: (error: unknown) => void
  /** Called with the report of a body. */
  readonly stored?: (report: IngestReport) => void
  /** Called with the number of rows of a deletion. */
  readonly deleted?: (rows: number) => void
  /** Estimated decompressed size of a body, bytes. */
  readonly weight: number
}

/** Assumed ratio of the decompressed to the compressed size of a body. */
const PACKED_WEIGHT = 20

const busy = (): HttpFault => fault('busy', { reason: 'it reads back what it has stored' }, { 'Retry-After': '1' })

/** Yields the chunks of a body, each copied in an iteration of the event loop of its own. */
export function* buffersOf(chunks: readonly Uint8Array[], buffers: BodyBuffers): Generator<Uint8Array<ArrayBuffer>> {
  let buffer: Uint8Array[] = []
  let bytes = 0
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength; at += CHUNK_BYTES) {
      const slice = chunk.subarray(at, at + CHUNK_BYTES)
      buffer.push(slice)
      bytes += slice.byteLength
      if (bytes < CHUNK_BYTES && buffer.length < ITEMS_PER_CHECKPOINT) continue
      yield joinedInto(buffers.take(bytes), buffer)
      buffer = []
      bytes = 0
    }
  }
  if (bytes > 0) yield joinedInto(buffers.take(bytes), buffer)
}

/** One thread from its start until it is lost or ended. */
class Life {
  readonly pending = new Map<number, Pending>()
  readonly newsWords = new Int32Array(new SharedArrayBuffer(4))
  isReady = false
  isLost = false
  readonly #words = new Int32Array(new SharedArrayBuffer(ingestWords.count * 4))
  readonly #worker: Worker
  readonly #silence = new Stall()
  #isSilent = false

  constructor(
    { backends, limits, folder, lock, keeping, figures, load, heapMiB }: IngestThreadOptions,
    keepTo: LogEnds | undefined,
    events: {
      readonly onMessage: (life: Life, message: FromIngest) => void
      readonly onLost: (life: Life, why: Loss, error: unknown) => void
    },
  ) {
    const start: IngestWorkerData = {
      backends,
      limits,
      folder,
      lock,
      keepTo,
      keeping,
      load: load && { module: load.module.href, data: load.data },
      words: this.#words,
      newsWords: this.newsWords,
      figures: figures.shared,
    }
    this.#worker = new Worker(moduleBeside(import.meta.url, 'ingest-worker'), {
      workerData: start,
      // The thread needs no environment variables.
      env: {},
      argv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMiB },
    })
    let error: unknown
    this.#worker.on('message', (message: FromIngest) => {
      if (!this.isLost) events.onMessage(this, message)
    })
    this.#worker.on('error', (thrown) => (error = thrown))
    this.#worker.on('exit', () => {
      if (this.isLost) return
      this.isLost = true
      events.onLost(
        this,
        errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : this.#isSilent ? 'silent' : 'crash',
        error,
      )
    })
  }

  /** Id of the body that broke the thread, or that the thread is processing; 0 between bodies. */
  get current(): number {
    const broken = Atomics.load(this.#words, ingestWords.broken)
    return broken === 0 ? Atomics.load(this.#words, ingestWords.current) : broken
  }

  post(message: ToIngest, transfer: readonly (ArrayBuffer | MessagePort)[] = []): void {
    if (!this.isLost) this.#worker.postMessage(message, transfer)
  }

  /**
   * Called when the thread accepts bodies. From now on, the thread keeps the process alive only while it has bodies to
   * store.
   */
  ready(): void {
    this.isReady = true
    this.#worker.unref()
  }

  /** Keeps the process alive until the thread has written its data. */
  closing(): void {
    this.#worker.ref()
    this.post({ kind: 'close' })
  }

  /** Must be called every `HEARTBEAT_MS`. Ends the thread if it had no heartbeat for `maxMs`. */
  endIfSilent(maxMs: number): void {
    const beat = Atomics.load(this.#words, ingestWords.beat)
    const { coreWaitMs = 0 } = threadTimes(Atomics.load(this.#words, ingestWords.thread)) ?? {}
    if (this.#silence.observe(beat, coreWaitMs, HEARTBEAT_MS) < maxMs) return
    this.#isSilent = true
    void this.#worker.terminate()
  }

  /** Ends the thread without calling `onLost`. */
  async end(): Promise<void> {
    this.isLost = true
    await this.#worker.terminate()
  }
}

/**
 * Stores data in a thread that owns the backends, and supervises the thread. A thread that dies or hangs is replaced by
 * a new one, which replays the log up to the last acknowledged batch. The body that the lost thread was processing is
 * rejected; other senders are told to retry.
 */
export class IngestThread implements IngestService, DeletionService, ReplicationSource {
  /** Resolves to the counts of the replay; rejects if the log is unreadable. */
  readonly readBack: Promise<ReadBack>
  /** Resolves when bodies are accepted. */
  readonly ready: Promise<void>
  readonly #options: IngestThreadOptions
  readonly #readBack = Promise.withResolvers<ReadBack>()
  readonly #ready = Promise.withResolvers<void>()
  readonly #closed = Promise.withResolvers<void>()
  readonly #buffers = new BodyBuffers()
  #life: Life
  #lastId = 0
  /** Ends of the logs up to which batches are acknowledged. */
  #acknowledged: LogEnds | undefined
  /**
   * Callbacks for the bodies of a lost thread. They are called once the new thread has confirmed that none of these
   * bodies is in the log.
   */
  #orphans: (() => void)[] = []
  #failedStarts = 0
  #wasReady = false
  #isClosing = false
  #watch: NodeJS.Timeout | undefined

  constructor(options: IngestThreadOptions) {
    this.#options = options
    this.readBack = this.#readBack.promise
    this.ready = this.#ready.promise
    // Prevents unhandled rejections; callers that await these promises get the error.
    for (const promise of [this.readBack, this.ready]) promise.catch(() => undefined)
    this.#life = this.#start()
  }

  async ingest({ body: { chunks, encoding, keyId }, ...rest }: IngestRequest): Promise<IngestReport> {
    if (!this.#wasReady) await this.ready
    const life = this.#life
    if (!life.isReady || life.isLost || this.#isClosing) throw busy()
    const { nowNs } = this.#options
    const receivedNs = nowNs()
    const id = ++this.#lastId
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
    const { promise, resolve, reject } = Promise.withResolvers<IngestReport>()
    life.pending.set(id, { stored: resolve, reject, weight: encoding === 'identity' ? bytes : bytes * PACKED_WEIGHT })
    this.#watchWhileBusy()
    let left = bytes
    for (const buffer of buffersOf(chunks, this.#buffers)) {
      left -= buffer.byteLength
      life.post({ kind: 'bytes', id, bytes: buffer }, [buffer.buffer])
      if (left > 0) await nextTurn()
    }
    chunks.length = 0
    life.post({ kind: 'ingest', id, request: { ...rest, encoding, keyId }, receivedNs })
    return promise
  }

  async delete(request: DeleteRequest): Promise<number> {
    if (!this.#wasReady) await this.ready
    const life = this.#life
    if (!life.isReady || life.isLost || this.#isClosing) throw busy()
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    life.pending.set(id, { deleted: resolve, reject, weight: 0 })
    this.#watchWhileBusy()
    life.post({ kind: 'delete', id, request })
    return promise
  }

  connect(): ReplicationConnection {
    const { port1, port2 } = new MessageChannel()
    const reads = readWords()
    this.#life.post({ kind: 'reader', port: port1, reads }, [port1])
    return { port: port2, words: this.#life.newsWords, reads }
  }

  /**
   * Resolves when the log is closed. Bodies in flight are stored first. A thread that is not ready has no bodies and is
   * ended at once.
   */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#life.isReady && !this.#life.isLost) {
      this.#life.closing()
      await this.#closed.promise
    }
    await this.#life.end()
    this.#watchWhileBusy()
    for (const { reject } of this.#life.pending.values()) reject(busy())
    this.#endOrphans()
    // The thread will not become ready any more, so the promises are rejected.
    this.#readBack.reject(busy())
    this.#ready.reject(busy())
  }

  #start(): Life {
    const life = new Life(this.#options, this.#acknowledged, {
      onMessage: (_, message) => this.#take(message),
      onLost: (lost, why, error) => this.#lose(lost, why, error),
    })
    this.#life = life
    this.#watchWhileBusy()
    return life
  }

  #take(message: FromIngest): void {
    const { log, load } = this.#options
    if ('memory' in message) for (const buffer of message.memory) this.#buffers.giveBack(buffer)
    switch (message.kind) {
      case 'opened':
        for (const notice of message.notices) log.error({ notice }, 'the data folder was put right; nothing is lost')
        return this.#endOrphans()
      case 'trouble':
        return log.error({ error: errorOf(message.error) }, 'a segment could not be kept; its batches stay in the log')
      case 'dropped':
        return log.error(droppedRows(message), DROPPED)
      case 'read-back':
        return this.#readBack.resolve(message)
      case 'loading':
        return load?.onMessage?.(message.message)
      case 'ready':
        this.#acknowledged = message.ends
        this.#failedStarts = 0
        this.#wasReady = true
        this.#life.ready()
        this.#watchWhileBusy()
        return this.#ready.resolve()
      case 'failed':
        void this.#life.end()
        return this.#fail(errorOf(message.error))
      case 'done': {
        const { mark } = message
        if (mark !== undefined && this.#acknowledged !== undefined)
          this.#acknowledged = { ...this.#acknowledged, [mark.logName]: mark.id }
        this.#settled(message.id)?.stored?.(message.report)
        return undefined
      }
      case 'refused':
        return this.#settled(message.id)?.reject(errorOf(message.error))
      case 'deleted':
        return this.#settled(message.id)?.deleted?.(message.rows)
      case 'background':
        return this.#options.onBackground(message.port)
      case 'closed':
        return this.#closed.resolve()
    }
  }

  #settled(id: number): Pending | undefined {
    const pending = this.#life.pending.get(id)
    this.#life.pending.delete(id)
    this.#watchWhileBusy()
    return pending
  }

  #lose(life: Life, why: Loss, error: unknown): void {
    const culprit = why === 'memory' ? heaviest(life.pending) : life.current
    for (const [id, { reject }] of life.pending)
      this.#orphans.push(() => reject(id === culprit ? fault('body-not-taken', { why }) : busy()))
    life.pending.clear()
    const rest =
      this.#options.folder === undefined
        ? 'all that it was sent is, without a data folder'
        : 'what was acknowledged is read back'
    this.#options.log.error({ why, error }, `the thread that takes data in is lost; ${rest}`)
    if (this.#isClosing) return this.#closed.resolve()
    if (!life.isReady && ++this.#failedStarts >= MAX_ATTEMPTS) {
      const reason = error instanceof Error ? error.message : why
      return this.#fail(new Error(`the thread that takes data in does not start: ${reason}`))
    }
    const start = (): void => {
      if (this.#isClosing) return
      this.#start()
      this.#options.onReplaced()
    }
    if (life.isReady) return start()
    setTimeout(start, RESTART_PAUSE_MS * 2 ** this.#failedStarts)
    return undefined
  }

  #fail(error: unknown): void {
    this.#endOrphans()
    this.#watchWhileBusy()
    if (this.#wasReady) return this.#options.onFailed(error)
    this.#readBack.reject(error)
    return this.#ready.reject(error)
  }

  #endOrphans(): void {
    for (const end of this.#orphans) end()
    this.#orphans = []
  }

  #watchWhileBusy(): void {
    const { silentMs = RESPONSE_TIMEOUT_MS } = this.#options
    const life = this.#life
    if (!life.isLost && (!life.isReady || life.pending.size > 0))
      this.#watch ??= setInterval(
        () => this.#life.endIfSilent(this.#life.isReady ? silentMs : CALL_TIMEOUT_MS),
        HEARTBEAT_MS,
      )
    else {
      clearInterval(this.#watch)
      this.#watch = undefined
    }
  }
}

function heaviest(pending: ReadonlyMap<number, Pending>): number {
  let found = 0
  let most = -1
  for (const [id, { weight }] of pending) {
    if (weight <= most) continue
    most = weight
    found = id
  }
  return found
}
