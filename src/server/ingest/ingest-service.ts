import { inTurns, present, type Turns } from '../../base/index.ts'
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
  /** The backend by id; `undefined` where there is only one. */
  readonly backend: string | undefined
  /** The table of the catalog. */
  readonly table: string
  /** As `decoders/index.ts` names it; where it is left out, the payload tells how it is written. */
  readonly format?: string
  readonly contentType?: string | null
  readonly options?: RecordOptions | undefined
  readonly body: PackedBody
  /** False of a part of a body that others follow: the report says how much of it they begin with. */
  readonly isLast?: boolean
}

/** Takes data in: resolves when it is safe and can be searched. */
export interface IngestService {
  /** Rejects with a `SluiceError` when nothing was stored: 400 or 413 for the payload, 507 or 503 for the disk. */
  ingest(request: IngestRequest): Promise<IngestReport>
}

export interface IngesterOptions {
  readonly targetOf: (backend: string | undefined) => IngestTarget
  /** Where acknowledged batches survive; without it they live as long as the process. */
  readonly log: DurableStore | undefined
  readonly limits?: Pick<ServerLimits, 'ingestBodyBytes' | 'ingestBytes'>
  /** Told which rows came with which batch. */
  readonly watch?: BatchWatch | undefined
  /**
   * Asked before a payload of so many bytes is stored, which takes `mostBytes` at most where that is known: throws where there is no memory
   * for it, and may give what makes it for each step.
   */
  readonly makeRoom?: ((payloadBytes: number, mostBytes?: number) => (() => void) | undefined) | undefined
}

/** Told of every batch of the log, in its order, while its rows are taken. */
export interface BatchWatch {
  /** Rows that the table takes until the end belong to the batch. */
  begin(mark: LogMark, backend: string, table: string): void
  end(mark: LogMark, backend: string, table: string): void
  /** Its sender knows that it is stored. */
  told(mark: LogMark): void
}

/** What is done with a body that was taken in. */
export interface TakenIn {
  readonly report: IngestReport
  /** Where it stands in the logs; `undefined` when nothing of it had to be kept. */
  readonly mark: LogMark | undefined
}

/** A fault of the program: a batch is in the log and not, or only in part, where it is searched. Nothing may follow it. */
export class HalfStored extends Error {
  override readonly name = 'HalfStored'

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** How a piece of work is run to its end. */
export type RunTurns = <T>(turns: Turns<T>) => Promise<T>

/** The id under which the only backend is logged. */
export const ONLY_BACKEND = 'default'

/** After each step that stores rows, what became full is sealed, in steps of its own. */
function* sealing<T>(table: MemoryTable | undefined, turns: Turns<T>): Turns<T> {
  if (table === undefined) return yield* turns
  for (;;) {
    const next = table.sealer.sealingLater(() => turns.next())
    yield* table.sealer.sealFull()
    if (next.done === true) return next.value
    yield
  }
}

/** Before each step, its room. */
function* makingRoom<T>(makeRoom: (() => void) | undefined, turns: Turns<T>): Turns<T> {
  if (makeRoom === undefined) return yield* turns
  for (;;) {
    makeRoom()
    const next = turns.next()
    if (next.done === true) return next.value
    yield
  }
}

/**
 * Understands a payload, writes it to the log, then puts it where it is searched. Batches become visible in the order of
 * the log, so that a replay gives the same rows in the same order; nothing that was refused is ever visible.
 */
export class Ingester {
  readonly #targetOf: IngesterOptions['targetOf']
  readonly #log: DurableStore | undefined
  readonly #watch: BatchWatch | undefined
  readonly #makeRoom: IngesterOptions['makeRoom']
  readonly #limitBytes: number
  /** What packed bodies unpack to. */
  readonly #unpacked: BodyMemory
  /** The batches that are being made visible, in the order of the log. */
  #visible: Promise<unknown> = Promise.resolve()

  constructor({ targetOf, log, watch, makeRoom, limits = defaultServerLimits }: IngesterOptions) {
    this.#targetOf = targetOf
    this.#log = log
    this.#watch = watch
    this.#makeRoom = makeRoom
    this.#limitBytes = limits.ingestBodyBytes
    this.#unpacked = new BodyMemory(limits.ingestBytes)
  }

  /** Rejects with a `SluiceError` when nothing was stored. `run` gives others their turns. */
  async take(request: IngestRequest, receivedNs: bigint, run: RunTurns = inTurns): Promise<TakenIn> {
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

  /** Stores the whole records of a part that others follow. */
  async #storeBeginning(
    request: IngestRequest,
    payload: Uint8Array,
    receivedNs: bigint,
    run: RunTurns,
  ): Promise<TakenIn> {
    const { wholeBytes } = decoderFor(request.table, present(request.format))
    const bytes = await run(present(wholeBytes)(payload))
    // What no record begins is refused with what it says for itself.
    if (bytes === -1) return this.#store(request, payload, receivedNs, run)
    const leftBytes = payload.byteLength - bytes
    const { report, mark } =
      bytes === 0
        ? { report: { accepted: 0, rejected: 0, errors: [] }, mark: undefined }
        : await this.#store(request, payload.subarray(0, bytes), receivedNs, run)
    return { report: { ...report, leftBytes }, mark }
  }

  async #store(request: IngestRequest, payload: Uint8Array, receivedNs: bigint, run: RunTurns): Promise<TakenIn> {
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
    // Whoever sends waits for a share of the packing, so that no more comes than is packed.
    if (target.packer !== undefined) await run(target.packer.keepUp())
    return { report, mark }
  }
}

export interface IngestOptions extends IngesterOptions {
  readonly nowNs: () => bigint
}

/** Takes data in within the caller's thread. */
export function createIngestService({ nowNs, ...options }: IngestOptions): IngestService {
  const ingester = new Ingester(options)
  return {
    ingest: async (request) => {
      const { report, mark } = await ingester.take(request, nowNs())
      if (mark !== undefined) options.watch?.told(mark)
      return report
    },
  }
}
