import zlib from 'node:zlib'
import { SluiceError, nextTurn, nowhere, present } from '../../base/index.ts'
import type { RecordOptions } from '../record-options.ts'
import { batchParts, type BatchPart, type LogEnds } from './batch-parts.ts'
import { BatchPacker } from './batch-packer.ts'
import { durableDiagnostic, writeFailure } from './diagnostics.ts'
import type { DiskReserve } from './disk-reserve.ts'
import type { LogEnd } from './log-format.ts'
import type { RecordBody } from './new-log.ts'
import type { Files } from './files.ts'
import { checkLog, inFiles, type ManifestState } from './manifest.ts'
import type { RecordLog } from './record-log.ts'
import { readLog, type LogRecord } from './read-log.ts'

/** One acknowledged batch as it arrived: decoding it again gives the same rows. */
export interface Batch {
  /** The backend it belongs to (`X-Backend-Id`). */
  readonly backend: string
  /** The table of the catalog. */
  readonly table: string
  /** How the payload is written: `ndjson`, `otlp-protobuf`, `otlp-json` … */
  readonly format: string
  /** "Now" at arrival: what records without a time get. */
  readonly receivedNs: bigint
  /** What the sender said about the records. */
  readonly options?: RecordOptions | undefined
  /** More series than these it did not make. */
  readonly limitSeries?: number | undefined
  readonly payload: Uint8Array
}

/** Where a batch stands. */
export interface LogMark {
  readonly part: BatchPart
  readonly id: number
}

/** A batch as it is read back. */
export interface Logged {
  readonly mark: LogMark
  readonly batch: Batch
}

/** What keeps acknowledged batches. */
export interface DurableStore {
  /** Resolves once the batch survives `kill -9` and power loss; rejects when nothing of it was stored. */
  append(batch: Batch): Promise<LogMark>
  /**
   * All that is in the logs, in the order in which it was acknowledged; what a segment holds may have left them. Throws
   * SluiceError `durable/damaged`.
   */
  replay(): Iterable<Logged>
  /** Waits for batches under way. */
  close(): Promise<void>
}

/** Node has it from 22.15 on; before, batches are stored as they came. */
const { zstdDecompressSync } = zlib as Partial<typeof zlib>

/** Lines of logs pack to between an eighth and a sixteenth of their length; a log of blank lines packs to a ten-thousandth. */
const USUAL_PACKING = 16

interface Waiting {
  readonly body: Promise<RecordBody>
  readonly resolve: (end: LogEnd) => void
  readonly reject: (error: unknown) => void
}

/** What stands before the payload of a batch, as JSON. */
interface Label {
  readonly backend: string
  readonly table: string
  readonly format: string
  readonly receivedNs: string
  /** Absent where the sender said nothing, and before there were options. */
  readonly options?: RecordOptions | undefined
  readonly limitSeries?: number | undefined
  readonly packing: 'none' | 'zstd'
}

/** Length of the label, label, payload, which is not to change until it is packed. */
async function encodeBatch({ payload, receivedNs, ...said }: Batch, packer: BatchPacker): Promise<RecordBody> {
  const packed = await packer.pack(payload)
  const label: Label = { ...said, receivedNs: String(receivedNs), packing: packed === undefined ? 'none' : 'zstd' }
  const text = Buffer.from(JSON.stringify(label))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  return [length, text, ...(packed ?? [payload])]
}

function unpacked(stored: Uint8Array): Uint8Array {
  if (zstdDecompressSync !== undefined) return zstdDecompressSync(stored)
  const reason = 'its batches are packed with zstd, which Node reads from 22.15 on'
  throw new SluiceError([durableDiagnostic('unreadable', { reason }, nowhere)])
}

/** The batch of a record that matches its checksum. */
export function decodeBatch({ body }: LogRecord): Batch {
  const end = 4 + body.readUInt32LE(0)
  const { packing, receivedNs, ...label } = JSON.parse(body.toString('utf8', 4, end)) as Label
  const stored = body.subarray(end)
  return { ...label, receivedNs: BigInt(receivedNs), payload: packing === 'zstd' ? unpacked(stored) : stored }
}

/** What a record of a log of batches says. */
export function logged(part: BatchPart, record: LogRecord): Logged {
  return { mark: { part, id: record.id }, batch: decodeBatch(record) }
}

function* behind(part: BatchPart, records: Iterable<LogRecord>, afterId: number): Generator<Logged> {
  for (const record of records)
    // A repair leaves an empty record in the place of one that was lost.
    if (record.id > afterId && record.body.length > 0) yield logged(part, record)
}

/**
 * Batches of a log that no file holds by the manifest, from a log that another process may be writing, as far as it is
 * acknowledged; to be read once. The log is open when it returns. Throws SluiceError `durable/…`, also where the log is of another
 * time than the manifest.
 */
export function readBatches(
  files: Files,
  folder: string,
  part: BatchPart,
  folderId: Uint8Array,
  state: ManifestState,
): Iterable<Logged> {
  let range = { startId: 0, lastId: 0 }
  const records = readLog(files, folder, part, folderId, (told) => (range = told))
  const first = records.next()
  try {
    checkLog(state, part, range)
  } catch (error) {
    records.return(undefined)
    throw error
  }
  const all = function* (): Generator<LogRecord> {
    if (first.done !== true) yield first.value
    yield* records
  }
  return behind(part, all(), inFiles(state)[part])
}

function refuse(group: readonly Waiting[], error: unknown): void {
  const refusal = writeFailure(error)
  for (const { reject } of group) reject(refusal)
}

/** Where a log is to begin anew, and who waits for it. */
interface Leaving {
  readonly toId: number
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/** The batches in a log: one record each. What arrives while others are written shares the next two syncs. */
class BatchLog {
  readonly part: BatchPart
  readonly #log: RecordLog
  /** Bytes of each payload as it came, by the id of its record: of all that were appended or read. */
  readonly #payloads = new Map<number, number>()
  #payloadBytes = 0
  #waiting: Waiting[] = []
  #leaving: Leaving | undefined
  #running: Promise<void> | undefined
  readonly #acknowledging = new Set<Promise<void>>()
  #isClosed = false

  constructor(part: BatchPart, log: RecordLog) {
    this.part = part
    this.#log = log
  }

  /** `payloadBytes` is the length of what `body` has packed. */
  async append(body: Promise<RecordBody>, payloadBytes: number): Promise<LogEnd> {
    const end = await this.#append(body)
    this.#note(end.lastId, payloadBytes)
    return end
  }

  #append(body: Promise<RecordBody>): Promise<LogEnd> {
    // Whoever waits for it, maybe later, is told when it cannot be packed.
    body.catch(() => undefined)
    if (this.#isClosed) return Promise.reject(new SluiceError([durableDiagnostic('closed', {}, nowhere)]))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ body, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Takes the records up to one out of the log. One call at a time; when it rejects, the log goes on as it is. */
  leave(toId: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    return new Promise((done, failed) => {
      this.#leaving = { toId, done, failed }
      this.#running ??= this.#run()
    })
  }

  *read(afterId: number): Generator<Logged> {
    for (const each of behind(this.part, this.#log.read(), afterId)) {
      this.#note(each.mark.id, each.batch.payload.byteLength)
      yield each
    }
  }

  #note(id: number, payloadBytes: number): void {
    this.#payloadBytes += payloadBytes - (this.#payloads.get(id) ?? 0)
    this.#payloads.set(id, payloadBytes)
  }

  get extent(): LogExtent {
    const { startId, end } = this.#log
    const replayBytes = Math.max(end.endBytes, this.#payloadBytes / USUAL_PACKING)
    return { startId, lastId: end.lastId, bytes: end.endBytes, replayBytes }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
    await Promise.all(this.#acknowledging)
    this.#log.close()
  }

  async #run(): Promise<void> {
    // One turn of the event loop gathers what arrives together.
    await nextTurn()
    while (this.#waiting.length > 0 || this.#leaving !== undefined) {
      if (this.#leaving !== undefined) await this.#beginAnew(this.#leaving)
      const group = this.#waiting
      this.#waiting = []
      if (group.length === 0) continue
      try {
        const ends = await this.#log.writeLater(await Promise.all(group.map(({ body }) => body)))
        // The next group is written while the head comes to name this one.
        const acknowledged = this.#acknowledge(group, ends)
        this.#acknowledging.add(acknowledged)
        void acknowledged.then(() => this.#acknowledging.delete(acknowledged))
      } catch (error) {
        refuse(group, error)
      }
    }
    this.#running = undefined
  }

  async #beginAnew({ toId, done, failed }: Leaving): Promise<void> {
    this.#leaving = undefined
    try {
      await Promise.all(this.#acknowledging)
      const next = this.#log.beginNew(toId)
      try {
        for (const { body } of this.#log.read(toId)) {
          next.add([body])
          await nextTurn()
        }
        await this.#log.replaceBy(next)
      } finally {
        this.#log.dropNew(next)
      }
      for (const [id, bytes] of this.#payloads) {
        if (id > toId) continue
        this.#payloads.delete(id)
        this.#payloadBytes -= bytes
      }
      done()
    } catch (error) {
      failed(writeFailure(error))
    }
  }

  async #acknowledge(group: readonly Waiting[], ends: readonly LogEnd[]): Promise<void> {
    try {
      await this.#log.acknowledgeLater(present(ends.at(-1)))
      for (const [i, { resolve }] of group.entries()) resolve(present(ends[i]))
    } catch (error) {
      refuse(group, error)
    }
  }
}

export interface LogExtent {
  /** The id before the first record. */
  readonly startId: number
  readonly lastId: number
  /** Length of the file. */
  readonly bytes: number
  /** Length that a log of usual batches with as much to read back has: batches that pack very well count for what they unpack to. */
  readonly replayBytes: number
}

/** The logs of batches of a folder. */
export class BatchLogs implements DurableStore {
  readonly #logs: ReadonlyMap<BatchPart, BatchLog>
  readonly #after: LogEnds
  readonly #reserve: DiskReserve | undefined
  readonly #packer = new BatchPacker()

  /** Records up to those of `after` are passed over: files hold what they brought. */
  constructor(
    logs: Readonly<Record<BatchPart, RecordLog>>,
    after: LogEnds = { batches: 0, samples: 0 },
    reserve?: DiskReserve,
  ) {
    this.#reserve = reserve
    this.#logs = new Map(batchParts.map((part) => [part, new BatchLog(part, logs[part])]))
    this.#after = after
  }

  async append(batch: Batch): Promise<LogMark> {
    const part = batch.table === 'samples' ? 'samples' : 'batches'
    this.#reserve?.check(batch.payload.byteLength)
    const { lastId } = await this.#of(part).append(encodeBatch(batch, this.#packer), batch.payload.byteLength)
    return { part, id: lastId }
  }

  *replay(): Generator<Logged> {
    for (const part of batchParts) yield* this.#of(part).read(this.#after[part])
  }

  /** Of `batches`. */
  get extent(): LogExtent {
    return this.extentOf('batches')
  }

  extentOf(part: BatchPart): LogExtent {
    return this.#of(part).extent
  }

  /** Takes the records of a log up to one out of it, which files hold. */
  leave(toId: number, part: BatchPart = 'batches'): Promise<void> {
    return this.#of(part).leave(toId)
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#logs.values(), (log) => log.close()))
    this.#packer.end()
  }

  #of(part: BatchPart): BatchLog {
    return present(this.#logs.get(part))
  }
}
