import { MIB, noTurns, type Turns } from '../../base/index.ts'
import type { RecordFaults } from '../../data/index.ts'
import type { Batch } from '../../store/durable/index.ts'
import type { SamplePacker } from '../../store/packed-samples/index.ts'
import type { MemoryStore, MetricCatalog, RecordOptions, SampleStore } from '../../store/index.ts'
import type { Marks } from './marks.ts'

/** Where the rows of one backend go. */
export interface IngestTarget {
  readonly store: MemoryStore
  readonly samples: SampleStore
  readonly metricCatalog: MetricCatalog
  /** So many series are made of what is taken in: a label with another value in every sample would take all memory there is. */
  readonly limitSeries: number
  /** Keeps the samples short where they live in memory alone. */
  readonly packer?: SamplePacker | undefined
}

/** Bytes that a message packed with Snappy may unpack to. */
export const MAX_UNPACKED_BYTES = 64 * MIB

/** The limit of series of batches whose record in the log names none. Never changed: it says what a log means. */
const UNNAMED_LIMIT_SERIES = 1_000_000

/** What the record of a batch in the log says of the limits that decided what of it was taken. */
export function limitsInLog({ limitSeries }: IngestTarget): Pick<Batch, 'limitSeries'> {
  return limitSeries === UNNAMED_LIMIT_SERIES ? {} : { limitSeries }
}

/** Where a batch of the log goes: what was taken of it is taken again whatever the limits are now, and nothing else. */
export function targetInLog(
  target: IngestTarget,
  { limitSeries = UNNAMED_LIMIT_SERIES }: Pick<Batch, 'limitSeries'>,
): IngestTarget {
  return { ...target, limitSeries }
}

/** A part of a payload that was refused. */
export interface IngestError {
  /** 1-based line of a text, or element of a list. */
  readonly line: number
  readonly reason: string
  /** At most 120 characters of it. */
  readonly excerpt?: string
}

export interface IngestReport extends Partial<RecordFaults> {
  readonly accepted: number
  readonly rejected: number
  /** The first few. */
  readonly errors: readonly IngestError[]
  /** What its protocol answers of each item of the payload, where it answers item by item. */
  readonly marks?: Marks
  /** How many of the accepted ones are native histograms, where metrics were taken in. */
  readonly histograms?: number
  /** How many exemplars were kept beside them. */
  readonly exemplars?: number
  /** Of a part that others follow: bytes at its end that were not read, for the next begins with them; absent when nothing behind it can be read. */
  readonly leftBytes?: number
}

/** A payload that was understood and waits to be stored. */
export interface DecodedBatch {
  /** What is known without storing anything, when nothing of the payload can be stored. */
  readonly nothing?: IngestReport
  /** What it takes of memory at most, where that may be more than a multiple of the payload's bytes. */
  readonly mostBytes?: number
  /** Puts the rows where they are searched, piece by piece; never fails. */
  readonly apply: (target: IngestTarget) => Turns<IngestReport>
}

/** Reads one way of writing one kind of data. */
export interface IngestDecoder {
  /** The table of the catalog. */
  readonly table: string
  /** As the batch log names it; a name is never given a second meaning. */
  readonly format: string
  /** Set where a byte 10 is no end of a line: parts of such a payload are counted by whoever reads it. */
  readonly isBinary?: boolean
  /**
   * The payload of a batch, which came at `receivedNs` with what its sender says about the records; the same payload gives the same rows in the same order. Changes
   * nothing. Throws a `SluiceError` on a payload that is not of this format.
   */
  readonly decode: (payload: Uint8Array, receivedNs: bigint, options?: RecordOptions) => Turns<DecodedBatch>
  /** How many bytes at the beginning of a payload that goes on are whole records; -1 when no record begins there. */
  readonly wholeBytes?: (payload: Uint8Array) => Turns<number>
}

export function excerptOf(text: string): string {
  return text.slice(0, 120)
}

/** A batch of which nothing can be stored. */
export function nothingOf(rejected: number, errors: readonly IngestError[]): DecodedBatch {
  const nothing: IngestReport = { accepted: 0, rejected, errors }
  return { nothing, apply: () => noTurns(nothing) }
}
