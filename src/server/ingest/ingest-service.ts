import { runCooperatively, present, type StepwiseTask } from '../../base/index.ts'
import type { DurableStore, LogMark } from '../../store/durable/index.ts'
import type { MemoryTable } from '../../store/index.ts'
import type { RecordOptions } from '../../store/index.ts'
import { BodyMemory } from '../http/body-memory.ts'
import { unpackBody, type PackedBody } from '../http/body.ts'
import { diskFault } from '../errors/disk-fault.ts'
import { defaultServerLimits, type ServerLimits } from '../settings/limits.ts'
import { limitsInLog, type IngestReport, type IngestTarget } from './decoder.ts'
import { decoderFor } from './decoders/index.ts'
import { formatOf } from './format.ts'
import { checkLineCount } from './payload-lines.ts'

export interface IngestRequest {
  /** Id of the backend; `undefined` if there is only one. */
  readonly backend: string | undefined
  /** Name of the table in the catalog. */
  readonly table: string
  /** Name of a format in `decoders/index.ts`. Default: the format is detected. */
  readonly format?: string
  readonly contentType?: string | null
  readonly options?: RecordOptions | undefined
  readonly body: PackedBody
  /**
   * False for a part of a body that is not the last. In that case the report has the number of bytes that begin the
   * next part.
   */
  readonly isLast?: boolean
}

/** Stores data. Resolves when it is durable and searchable. */
export interface IngestService {
  /**
   * Rejects with a `SluiceError` if nothing was stored: 400 or 413 because of the payload, 507 or 503 because of the
   * disk.
   */
  ingest(request: IngestRequest): Promise<IngestReport>
}

export interface IngesterOptions {
  readonly targetOf: (backend: string | undefined) => IngestTarget
  /** Durable log; without a log, batches live as long as the process. */
  readonly log: DurableStore | undefined
  readonly limits?: Pick<ServerLimits, 'ingestBodyBytes' | 'ingestBytes'>
  /** Notified of each batch while its rows are stored. */
  readonly watch?: BatchWatch | undefined
  /**
   * Called before a payload is stored, with the maximum memory of its rows if known. Throws if there is not enough
   * memory. May return a function that must be called before each step.
   */
  readonly makeRoom?: ((payloadBytes: number, mostBytes?: number) => (() => void) | undefined) | undefined
}

/** Notified of every batch of the log, in order, while its rows are stored. */
export interface BatchWatch {
  /** Called before the rows of a batch are stored. All rows that the table receives until `end` belong to the batch. */
  begin(mark: LogMark, backend: string, table: string): void
  end(mark: LogMark, backend: string, table: string): void
  /** Called when the batch was acknowledged. */
  acknowledge(mark: LogMark): void
}

/** Result of storing a body or a part of it. */
export interface TakenIn {
  readonly report: IngestReport
  /** Position in the logs; `undefined` if nothing had to be logged. */
  readonly mark: LogMark | undefined
}

/** Internal error: a batch is in the log but is not searchable, or only partly. No further batch may be stored. */
export class HalfStored extends Error {
  override readonly name = 'HalfStored'

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** Runs stepwise work to its end, and yields between steps. */
export type RunTask = <T>(turns: StepwiseTask<T>) => Promise<T>

/** Backend id in log records of a server with only one backend. */
export const ONLY_BACKEND = 'default'

/** Seals full tails after each step that stores rows. */
function* sealing<T>(table: MemoryTable | undefined, turns: StepwiseTask<T>): StepwiseTask<T> {
  if (table === undefined) return yield* turns
  for (;;) {
    const next = table.sealer.sealingLater(() => turns.next())
    yield* table.sealer.sealFull()
    if (next.done === true) return next.value
    yield
  }
}

/** Calls `makeRoom`, which frees memory, before each step. */
function* makingRoom<T>(makeRoom: (() => void) | undefined, turns: StepwiseTask<T>): StepwiseTask<T> {
  if (makeRoom === undefined) return yield* turns
  for (;;) {
    makeRoom()
    const next = turns.next()
    if (next.done === true) return next.value
    yield
  }
}

/**
 * Decodes a payload, writes it to the log, and then makes it searchable. Batches become searchable in log order, so
 * that a replay gives the same rows in the same order. Rejected data never becomes searchable.
 */
export class Ingester {
  readonly #targetOf: IngesterOptions['targetOf']
  readonly #log: DurableStore | undefined
  readonly #watch: BatchWatch | undefined
  readonly #makeRoom: IngesterOptions['makeRoom']
  readonly #limitBytes: number
  /** Reserves memory for decompressed bodies. */
  readonly #unpacked: BodyMemory
  /** Resolves when all logged batches are searchable. Batches become searchable in log order. */
  #visible: Promise<unknown> = Promise.resolve()

  constructor({ targetOf, log, watch, makeRoom, limits = defaultServerLimits }: IngesterOptions) {
    this.#targetOf = targetOf
    this.#log = log
    this.#watch = watch
    this.#makeRoom = makeRoom
    this.#limitBytes = limits.ingestBodyBytes
    this.#unpacked = new BodyMemory(limits.ingestBytes)
  }

  /** Rejects with a `SluiceError` if nothing was stored. `run` yields between steps. */
  async take(request: IngestRequest, receivedNs: bigint, run: RunTask = runCooperatively): Promise<TakenIn> {
    const { keyId } = request.body
    let reservedBytes = 0
    try {
      const payload = await unpackBody(request.body, this.#limitBytes, (bytes) => {
        this.#unpacked.reserve(bytes, keyId)
        reservedBytes += bytes
      })
      if (request.isLast !== false) return await this.#store(request, payload, receivedNs, run)
      return await this.#storeBeginning(request, payload, receivedNs, run)
    } finally {
      this.#unpacked.release(reservedBytes, keyId)
    }
  }

  /** Stores the complete records of a part that is not the last. */
  async #storeBeginning(
    request: IngestRequest,
    payload: Uint8Array,
    receivedNs: bigint,
    run: RunTask,
  ): Promise<TakenIn> {
    const { wholeBytes } = decoderFor(request.table, present(request.format))
    const bytes = await run(present(wholeBytes)(payload))
    // The decoder rejects a payload that does not begin with a record.
    if (bytes === -1) return this.#store(request, payload, receivedNs, run)
    const leftBytes = payload.byteLength - bytes
    const { report, mark } =
      bytes === 0
        ? { report: { accepted: 0, rejected: 0, errors: [] }, mark: undefined }
        : await this.#store(request, payload.subarray(0, bytes), receivedNs, run)
    return { report: { ...report, leftBytes }, mark }
  }

  async #store(request: IngestRequest, payload: Uint8Array, receivedNs: bigint, run: RunTask): Promise<TakenIn> {
    const { backend, table, options } = request
    const target = this.#targetOf(backend)
    const format = request.format ?? (await run(formatOf(table, request.contentType ?? null, payload)))
    const decoder = decoderFor(table, format)
    if (decoder.isBinary !== true) await run(checkLineCount(payload))
    const decoded = await run(decoder.decode(payload, receivedNs, options))
    if (decoded.nothing !== undefined) return { report: decoded.nothing, mark: undefined }
    const makeRoom = this.#makeRoom?.(payload.byteLength, decoded.mostBytes)
    const logged = backend ?? ONLY_BACKEND
    let mark: LogMark | undefined
    try {
      const said = { backend: logged, table, format, receivedNs, options, ...limitsInLog(target) }
      mark = await this.#log?.append({ ...said, payload })
    } catch (error) {
      throw diskFault(error)
    }
    const applied = this.#visible.then(async () => {
      try {
        if (mark !== undefined) this.#watch?.begin(mark, logged, table)
        const report = await run(
          makingRoom(makeRoom, sealing(target.store.memoryTables.get(table), decoded.apply(target))),
        )
        if (mark !== undefined) this.#watch?.end(mark, logged, table)
        return report
      } catch (error) {
        throw new HalfStored(error)
      }
    })
    this.#visible = applied
    const report = await applied
    // Backpressure: the sender waits until packing of samples has caught up.
    if (target.packer !== undefined) await run(target.packer.keepUp())
    return { report, mark }
  }
}

export interface IngestOptions extends IngesterOptions {
  readonly nowNs: () => bigint
}

/** Stores data in the caller's thread. */
export function createIngestService({ nowNs, ...options }: IngestOptions): IngestService {
  const ingester = new Ingester(options)
  return {
    ingest: async (request) => {
      const { report, mark } = await ingester.take(request, nowNs())
      if (mark !== undefined) options.watch?.acknowledge(mark)
      return report
    },
  }
}
