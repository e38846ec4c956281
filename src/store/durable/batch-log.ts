import zlib from 'node:zlib'
import { SluiceError, nowhere, present } from '../../base/index.ts'
import type { RecordOptions } from '../record-options.ts'
import { durableDiagnostic } from './diagnostics.ts'
import type { LogEnd } from './log-format.ts'
import type { RecordBody } from './new-log.ts'
import type { LogRecord, RecordLog } from './record-log.ts'

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
  readonly payload: Uint8Array
}

/** What keeps acknowledged batches. Sealed column segments will stand behind the same interface. */
export interface DurableStore {
  /**
   * Resolves once the batch survives `kill -9` and power loss, with where the log ends behind it; rejects when nothing of it
   * was stored.
   */
  append(batch: Batch): Promise<LogEnd>
  /** All batches in the order they were acknowledged. Throws SluiceError `durable/damaged`. */
  replay(): Iterable<Batch>
  /** Waits for batches under way. */
  close(): Promise<void>
}

/** Node has these from 22.15 on; before, batches are stored as they came. */
const { zstdCompressSync, zstdDecompressSync } = zlib as Partial<typeof zlib>

const COMPRESS_FROM_BYTES = 1024

interface Waiting {
  readonly body: RecordBody
  readonly resolve: (end: LogEnd) => void
  readonly reject: (error: unknown) => void
}

/** What stands before the payload, as JSON. */
interface Label {
  readonly backend: string
  readonly table: string
  readonly format: string
  readonly receivedNs: string
  /** Absent where the sender said nothing, and before there were options. */
  readonly options?: RecordOptions | undefined
  readonly packing: 'none' | 'zstd'
}

/** Length of the label, label, payload. */
function encodeBatch({ backend, table, format, receivedNs, options, payload }: Batch): RecordBody {
  const packed =
    payload.length >= COMPRESS_FROM_BYTES
      ? zstdCompressSync?.(payload, { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } })
      : undefined
  const packing = packed === undefined ? 'none' : 'zstd'
  const label: Label = { backend, table, format, receivedNs: String(receivedNs), options, packing }
  const text = Buffer.from(JSON.stringify(label))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  return [length, text, packed ?? payload]
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

function failure(error: unknown): SluiceError {
  if (error instanceof SluiceError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  if (code === 'ENOSPC' || code === 'EDQUOT') return new SluiceError([durableDiagnostic('disk-full', {}, nowhere)])
  return new SluiceError([durableDiagnostic('write-failed', { reason: code }, nowhere)])
}

function refuse(group: readonly Waiting[], error: unknown): void {
  const refusal = failure(error)
  for (const { reject } of group) reject(refusal)
}

/** The batches in a log: one record each. What arrives while others are written shares the next two syncs. */
export class BatchLog implements DurableStore {
  readonly #log: RecordLog
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  readonly #acknowledging = new Set<Promise<void>>()
  #isClosed = false

  constructor(log: RecordLog) {
    this.#log = log
  }

  append(batch: Batch): Promise<LogEnd> {
    if (this.#isClosed) return Promise.reject(new SluiceError([durableDiagnostic('closed', {}, nowhere)]))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ body: encodeBatch(batch), resolve, reject })
      this.#running ??= this.#run()
    })
  }

  *replay(): Generator<Batch> {
    for (const record of this.#log.read()) yield decodeBatch(record)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
    await Promise.all(this.#acknowledging)
    this.#log.close()
  }

  async #run(): Promise<void> {
    // One turn of the event loop gathers what arrives together.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const group = this.#waiting
      this.#waiting = []
      try {
        const ends = await this.#log.writeLater(group.map(({ body }) => body))
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

  async #acknowledge(group: readonly Waiting[], ends: readonly LogEnd[]): Promise<void> {
    try {
      await this.#log.acknowledgeLater(present(ends.at(-1)))
      for (const [i, { resolve }] of group.entries()) resolve(present(ends[i]))
    } catch (error) {
      refuse(group, error)
    }
  }
}
