import zlib from 'node:zlib'
import { SluiceError, nextTurn, nowhere, present } from '../../base/index.ts'
import type { RecordOptions } from '../record-options.ts'
import { batchLogNames, type BatchLogName, type LogEnds } from './batch-parts.ts'
import { BatchPacker } from './batch-packer.ts'
import { durableDiagnostic, writeFailure } from './diagnostics.ts'
import type { DiskReserve } from './disk-reserve.ts'
import type { LogEnd } from './log-format.ts'
import type { RecordBody } from './new-log.ts'
import type { Files } from './files.ts'
import { checkLog, inFiles, type ManifestState } from './manifest.ts'
import type { RecordLog } from './record-log.ts'
import { readLog, type LogRecord } from './read-log.ts'

/** One batch as its sender wrote it. Decoding it again gives the same rows. */
export interface Batch {
  /** The id of the backend that stores the batch (header `X-Backend-Id`). */
  readonly backend: string
  /** The name of the table that stores the rows. */
  readonly table: string
  /** The format of the payload: `ndjson`, `otlp-protobuf`, `otlp-json` … */
  readonly format: string
  /** The time of arrival in nanoseconds since 1970. Records without a time get this one. */
  readonly receivedNs: bigint
  /** Options that the sender gave for reading the records. */
  readonly options?: RecordOptions | undefined
  /** Maximum number of series of the backend at the time of arrival; a replay must apply the same limit. */
  readonly limitSeries?: number | undefined
  readonly payload: Uint8Array
}

/** The position of a batch: the name of its log and its record id. */
export interface LogMark {
  readonly logName: BatchLogName
  readonly id: number
}

/** A batch that was read from a log. */
export interface Logged {
  readonly mark: LogMark
  readonly batch: Batch
}

/** A store that acknowledges a batch only once the batch is durable. */
export interface DurableStore {
  /** Resolves once the batch survives `kill -9` and power loss. If it rejects, no part of the batch is stored. */
  append(batch: Batch): Promise<LogMark>
  /**
   * Yields all batches in the logs, in the order in which they were acknowledged. Batches whose rows are in segments
   * may be missing. Throws SluiceError `durable/damaged`.
   */
  replay(): Iterable<Logged>
  /** Waits for batches in flight, then closes the logs. */
  close(): Promise<void>
}

/** Decompression function of Node 22.15 and later; `undefined` in older versions. */
const { zstdDecompressSync } = zlib as Partial<typeof zlib>

/**
 * Maximum ratio of uncompressed to stored bytes that the estimate of replay work assumes. Log lines usually compress to
 * 1/8 to 1/16 of their size. Blank lines compress much further, but replaying them takes as long.
 */
const USUAL_PACKING = 16

interface Waiting {
  readonly body: Promise<RecordBody>
  readonly resolve: (end: LogEnd) => void
  readonly reject: (error: unknown) => void
}

/** The JSON header before the payload of a batch. */
interface Label {
  readonly backend: string
  readonly table: string
  readonly format: string
  readonly receivedNs: string
  /** Absent if the sender gave no options, and in batches written before options existed. */
  readonly options?: RecordOptions | undefined
  readonly limitSeries?: number | undefined
  readonly packing: 'none' | 'zstd'
}

/**
 * Encodes a batch as the length of its label, the label and the payload. The payload must not change until it is
 * compressed.
 */
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

/** Decodes the batch of a record whose checksum was verified. */
export function decodeBatch({ body }: LogRecord): Batch {
  const end = 4 + body.readUInt32LE(0)
  const { packing, receivedNs, ...label } = JSON.parse(body.toString('utf8', 4, end)) as Label
  const stored = body.subarray(end)
  return { ...label, receivedNs: BigInt(receivedNs), payload: packing === 'zstd' ? unpacked(stored) : stored }
}

/** Decodes a record of a batch log. */
export function logged(logName: BatchLogName, record: LogRecord): Logged {
  return { mark: { logName, id: record.id }, batch: decodeBatch(record) }
}

function* behind(logName: BatchLogName, records: Iterable<LogRecord>, afterId: number): Generator<Logged> {
  for (const record of records)
    // A repair writes an empty record in place of a lost one.
    if (record.id > afterId && record.body.length > 0) yield logged(logName, record)
}

/**
 * Reads the acknowledged batches of a log that the manifest does not list as stored in files. Another process may be
 * writing to the log. The result can be iterated once; the log is opened before the function returns. Throws
 * SluiceError `durable/…`, also if the log and the manifest were saved at different times.
 */
export function readBatches(
  files: Files,
  folder: string,
  logName: BatchLogName,
  folderId: Uint8Array,
  state: ManifestState,
): Iterable<Logged> {
  let range = { startId: 0, lastId: 0 }
  const records = readLog(files, folder, logName, folderId, (found) => (range = found))
  const first = records.next()
  try {
    checkLog(state, logName, range)
  } catch (error) {
    records.return(undefined)
    throw error
  }
  const all = function* (): Generator<LogRecord> {
    if (first.done !== true) yield first.value
    yield* records
  }
  return behind(logName, all(), inFiles(state)[logName])
}

function refuse(group: readonly Waiting[], error: unknown): void {
  const refusal = writeFailure(error)
  for (const { reject } of group) reject(refusal)
}

/** A request to remove the records up to `toId`, with the promise callbacks of its caller. */
interface RemovalRequest {
  readonly toId: number
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

/**
 * One log of batches, one record each. Batches that arrive during a write are written together, with two syncs for the
 * group.
 */
class BatchLog {
  readonly logName: BatchLogName
  readonly #log: RecordLog
  /** The uncompressed payload size in bytes by record id, for all records that were appended or read. */
  readonly #payloads = new Map<number, number>()
  #payloadBytes = 0
  #waiting: Waiting[] = []
  #leaving: RemovalRequest | undefined
  #running: Promise<void> | undefined
  readonly #acknowledging = new Set<Promise<void>>()
  #isClosed = false

  constructor(logName: BatchLogName, log: RecordLog) {
    this.logName = logName
    this.#log = log
  }

  /** Appends a record. `payloadBytes` is the uncompressed size of the payload in `body`. */
  async append(body: Promise<RecordBody>, payloadBytes: number): Promise<LogEnd> {
    const end = await this.#append(body)
    this.#note(end.lastId, payloadBytes)
    return end
  }

  #append(body: Promise<RecordBody>): Promise<LogEnd> {
    // Prevents an unhandled rejection; the caller gets the error when it awaits `body`.
    body.catch(() => undefined)
    if (this.#isClosed) return Promise.reject(new SluiceError([durableDiagnostic('closed', {}, nowhere)]))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ body, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /**
   * Removes the records up to `toId` from the log. Calls must not overlap. If the promise rejects, the log is
   * unchanged.
   */
  leave(toId: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    return new Promise((done, failed) => {
      this.#leaving = { toId, done, failed }
      this.#running ??= this.#run()
    })
  }

  *read(afterId: number): Generator<Logged> {
    for (const each of behind(this.logName, this.#log.read(), afterId)) {
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
    // Waiting for one turn of the event loop collects batches that arrive together.
    await nextTurn()
    while (this.#waiting.length > 0 || this.#leaving !== undefined) {
      if (this.#leaving !== undefined) await this.#beginAnew(this.#leaving)
      const group = this.#waiting
      this.#waiting = []
      if (group.length === 0) continue
      try {
        const ends = await this.#log.writeLater(await Promise.all(group.map(({ body }) => body)))
        // The next group is written while the head for this group is synced.
        const acknowledged = this.#acknowledge(group, ends)
        this.#acknowledging.add(acknowledged)
        void acknowledged.then(() => this.#acknowledging.delete(acknowledged))
      } catch (error) {
        refuse(group, error)
      }
    }
    this.#running = undefined
  }

  async #beginAnew({ toId, done, failed }: RemovalRequest): Promise<void> {
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
  /** Id of the record before the first one in the log. */
  readonly startId: number
  readonly lastId: number
  /** The length of the file, in bytes. */
  readonly bytes: number
  /** Estimated work of a replay, in bytes: the larger of the file length and 1/16 of the uncompressed payloads. */
  readonly replayBytes: number
}

/** The batch logs of a data folder. */
export class BatchLogs implements DurableStore {
  readonly #logs: ReadonlyMap<BatchLogName, BatchLog>
  readonly #after: LogEnds
  readonly #reserve: DiskReserve | undefined
  readonly #packer = new BatchPacker()

  /** Opens the logs. Records up to the ids in `after` are skipped, because their rows are already in files. */
  constructor(
    logs: Readonly<Record<BatchLogName, RecordLog>>,
    after: LogEnds = { batches: 0, samples: 0 },
    reserve?: DiskReserve,
  ) {
    this.#reserve = reserve
    this.#logs = new Map(batchLogNames.map((logName) => [logName, new BatchLog(logName, logs[logName])]))
    this.#after = after
  }

  async append(batch: Batch): Promise<LogMark> {
    const logName = batch.table === 'samples' ? 'samples' : 'batches'
    this.#reserve?.check(batch.payload.byteLength)
    const { lastId } = await this.#of(logName).append(encodeBatch(batch, this.#packer), batch.payload.byteLength)
    return { logName, id: lastId }
  }

  *replay(): Generator<Logged> {
    for (const logName of batchLogNames) yield* this.#of(logName).read(this.#after[logName])
  }

  /** The current extent of the log `batches`. */
  get extent(): LogExtent {
    return this.extentOf('batches')
  }

  extentOf(logName: BatchLogName): LogExtent {
    return this.#of(logName).extent
  }

  /** Removes the records up to `toId` from a log. Their rows must already be in files. */
  leave(toId: number, logName: BatchLogName = 'batches'): Promise<void> {
    return this.#of(logName).leave(toId)
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#logs.values(), (log) => log.close()))
    this.#packer.end()
  }

  #of(logName: BatchLogName): BatchLog {
    return present(this.#logs.get(logName))
  }
}
