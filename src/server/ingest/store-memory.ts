import { formatRfc3339 } from '../../base/index.ts'
import { lastNsOf, type MemoryTable, type Segment } from '../../store/index.ts'
import { fault } from '../http-fault.ts'
import type { IngestTarget } from './decoder.ts'

/** Segments that left so that others have their place. */
export interface Dropped {
  readonly rows: number
  /** Of the last row among them. */
  readonly untilNs: bigint
}

/** What the log of a server says of it. */
export const DROPPED = 'the memory for rows is full; the oldest have left'

export function droppedRows({ rows, untilNs }: Dropped): Readonly<Record<string, unknown>> {
  return { rows, until: formatRfc3339(untilNs) }
}

export interface StoreMemoryOptions {
  readonly targets: ReadonlyMap<string, IngestTarget>
  /** What tables, dictionaries and samples may take, bytes. */
  readonly limitBytes: number
  /** Called where rows get their place in files: asks for that to be done early. Without it the oldest rows leave. */
  readonly relieve: (() => void) | undefined
  /** Told of rows that left, some time after, those of several drops together. */
  readonly onDropped: (dropped: Dropped) => void
}

/** What a payload takes of the memory of a tail, as a multiple of its bytes, with what buffers grow by beforehand. */
const PAYLOAD_WEIGHT = 3
/** What one more sample takes at most before samples are counted anew, bytes. */
const SAMPLE_BYTES = 64
/** Samples are counted anew when so many bytes may have come. */
const RECOUNT_BYTES = 8 * 1024 ** 2
/** The memory that rows of one table leave to later ones is one part in so many at most. */
const SPARE_PARTS = 64
/** Someone has to start the server with more memory. */
const FULL_RETRY_SECONDS = '60'
/** How often drops are told of, milliseconds. */
const TELL_MS = 60_000

/** Keeps what the tables and samples of a process hold within a bound: the oldest rows leave, or nothing more is taken for a while. */
export class StoreMemory {
  readonly #options: StoreMemoryOptions
  #sampleBytes = 0
  #samplesSeen = -1
  #untold: Dropped | undefined
  #toldMs = -Infinity
  #tellLater: NodeJS.Timeout | undefined
  /** Rows that left since it was made. */
  droppedRows = 0

  constructor(options: StoreMemoryOptions) {
    this.#options = options
    for (const table of this.#tables()) table.mostSpareBytes = options.limitBytes / SPARE_PARTS
  }

  get limitBytes(): number {
    return this.#options.limitBytes
  }

  #tables(): readonly MemoryTable[] {
    return [...this.#options.targets.values()].flatMap(({ store }) => [...store.tables.values()])
  }

  /** Makes room for a payload of so many bytes. Throws 503 where there is none, 413 where it would never have any. */
  makeRoom(payloadBytes: number): void {
    const { limitBytes, relieve } = this.#options
    const wantedBytes = payloadBytes * PAYLOAD_WEIGHT
    if (this.usedBytes + wantedBytes <= limitBytes) return
    this.#dropSpare()
    if (this.usedBytes + wantedBytes <= limitBytes) return
    if (wantedBytes > limitBytes) throw fault('body-beyond-memory', { takesBytes: wantedBytes, limitBytes })
    const staysBytes = this.#stayingBytes
    if (staysBytes + wantedBytes > limitBytes)
      throw fault('memory-full', { staysBytes, limitBytes }, { 'Retry-After': FULL_RETRY_SECONDS })
    if (relieve === undefined) {
      this.#dropOldest(limitBytes - wantedBytes)
      this.#dropSpare()
      if (this.usedBytes + wantedBytes <= limitBytes) return
    } else relieve()
    const reason =
      relieve === undefined ? 'its memory is full' : 'its memory is full until rows are written to segments'
    throw fault('busy', { reason }, { 'Retry-After': '1' })
  }

  /** What tables, dictionaries and samples take, bytes. */
  get usedBytes(): number {
    let bytes = 0
    for (const table of this.#tables()) bytes += table.memoryBytes
    return bytes + this.#samples()
  }

  /** What neither files nor the leaving of rows relieve, bytes. */
  get #stayingBytes(): number {
    let bytes = this.#options.relieve === undefined ? this.#samples() : 0
    for (const table of this.#tables()) bytes += table.dictionaryBytes
    return bytes
  }

  #dropSpare(): void {
    for (const table of this.#tables()) table.dropSpare()
  }

  #samples(): number {
    let seen = 0
    for (const { samples } of this.#options.targets.values()) seen += samples.version
    const sinceBytes = (seen - this.#samplesSeen) * SAMPLE_BYTES
    if (this.#samplesSeen !== -1 && sinceBytes < RECOUNT_BYTES) return this.#sampleBytes + sinceBytes
    this.#samplesSeen = seen
    this.#sampleBytes = 0
    for (const { samples, packer } of this.#options.targets.values())
      this.#sampleBytes += samples.bytes + (packer?.cachedBytes ?? 0)
    return this.#sampleBytes
  }

  #dropOldest(toBytes: number): void {
    const tables = this.#tables()
    let leftBytes = this.usedBytes
    let rows = 0
    let untilNs: bigint | undefined
    while (leftBytes > toBytes) {
      // Unsealed rows leave as segments, too.
      if (!tables.some((table) => table.sealedSegments().length > 0)) for (const table of tables) table.seal()
      const oldest = oldestOf(tables)
      if (oldest === undefined) break
      const { table, segment } = oldest
      table.replaceSealed(new Set([segment]), [])
      rows += segment.rowCount
      const lastNs = lastNsOf(segment)
      if (untilNs === undefined || lastNs > untilNs) untilNs = lastNs
      leftBytes -= segment.memoryBytes
    }
    if (untilNs !== undefined) this.#tell({ rows, untilNs })
  }

  #tell({ rows, untilNs }: Dropped): void {
    this.droppedRows += rows
    const before = this.#untold
    this.#untold = {
      rows: rows + (before?.rows ?? 0),
      untilNs: before === undefined || untilNs > before.untilNs ? untilNs : before.untilNs,
    }
    const waitMs = this.#toldMs + TELL_MS - performance.now()
    // The last ones are told of, too, when no others leave.
    if (waitMs > 0) this.#tellLater ??= setTimeout(() => this.#tellNow(), waitMs).unref()
    else this.#tellNow()
  }

  #tellNow(): void {
    clearTimeout(this.#tellLater)
    this.#tellLater = undefined
    this.#toldMs = performance.now()
    if (this.#untold !== undefined) this.#options.onDropped(this.#untold)
    this.#untold = undefined
  }
}

/** The sealed segment whose last row is the oldest. */
function oldestOf(
  tables: readonly MemoryTable[],
): { readonly table: MemoryTable; readonly segment: Segment } | undefined {
  let oldest: { readonly table: MemoryTable; readonly segment: Segment; readonly lastNs: bigint } | undefined
  for (const table of tables)
    for (const segment of table.sealedSegments()) {
      const lastNs = lastNsOf(segment)
      if (oldest === undefined || lastNs < oldest.lastNs) oldest = { table, segment, lastNs }
    }
  return oldest
}
