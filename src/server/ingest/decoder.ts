import { MIB, doneTask, type StepwiseTask } from '../../base/index.ts'
import type { RecordFaults } from '../../data/index.ts'
import type { Batch } from '../../store/durable/index.ts'
import type { SamplePacker } from '../../store/packed-samples/index.ts'
import type { MemoryStore, MetricCatalog, RecordOptions, SampleStore } from '../../store/index.ts'
import type { Marks } from './marks.ts'

/** Tables that receive the rows of one backend. */
export interface IngestTarget {
  readonly store: MemoryStore
  readonly samples: SampleStore
  readonly metricCatalog: MetricCatalog
  /** Maximum number of series: a label with a new value in every sample would use up all memory. */
  readonly limitSeries: number
  /** Packs samples without files. */
  readonly packer?: SamplePacker | undefined
}

/** Maximum decompressed size of a Snappy message, bytes. */
export const MAX_UNPACKED_BYTES = 64 * MIB

/** Series limit of logged batches without one. Never changed: it is part of the log's meaning. */
const UNNAMED_LIMIT_SERIES = 1_000_000

/** Limits in a log record that decided which samples were accepted. */
export function limitsInLog({ limitSeries }: IngestTarget): Pick<Batch, 'limitSeries'> {
  return limitSeries === UNNAMED_LIMIT_SERIES ? {} : { limitSeries }
}

/**
 * Target for a logged batch: exactly the samples that were accepted are accepted again, whatever the limits are now.
 */
export function targetInLog(
  target: IngestTarget,
  { limitSeries = UNNAMED_LIMIT_SERIES }: Pick<Batch, 'limitSeries'>,
): IngestTarget {
  return { ...target, limitSeries }
}

/** A refused part of a payload. */
export interface IngestError {
  /** Line of a text, from 1, or index in a list. */
  readonly line: number
  readonly reason: string
  /** At most 120 characters of the record. */
  readonly excerpt?: string
}

export interface IngestReport extends Partial<RecordFaults> {
  readonly accepted: number
  readonly rejected: number
  /** The first few errors. */
  readonly errors: readonly IngestError[]
  /** Answers for each item, if the protocol answers item by item. */
  readonly marks?: Marks
  /** Number of accepted native histograms. */
  readonly histograms?: number
  /** Number of stored exemplars. */
  readonly exemplars?: number
  /**
   * For a part that others follow: number of unread bytes at its end, which begin the next; absent if nothing after it
   * can be read.
   */
  readonly leftBytes?: number
}

/** A decoded payload that waits to be stored. */
export interface DecodedBatch {
  /** Report without storing, if nothing of the payload can be stored. */
  readonly nothing?: IngestReport
  /** Maximum memory, if it may exceed a multiple of the payload's size, bytes. */
  readonly mostBytes?: number
  /** Stores the rows step by step; never fails. */
  readonly apply: (target: IngestTarget) => StepwiseTask<IngestReport>
}

/** Decodes one format of one kind of data. */
export interface IngestDecoder {
  /** Table in the catalog. */
  readonly table: string
  /** Name in the batch log, whose meaning never changes. */
  readonly format: string
  /** Set when a byte 10 does not end a line. The decoder then counts the records of a part. */
  readonly isBinary?: boolean
  /**
   * Decodes a payload that arrived at `receivedNs`, with its sender's options; equal payloads give equal rows in equal
   * order. Has no effects. Throws a `SluiceError` for other formats.
   */
  readonly decode: (payload: Uint8Array, receivedNs: bigint, options?: RecordOptions) => StepwiseTask<DecodedBatch>
  /** Number of bytes at the beginning of an incomplete payload that are whole records; -1 if no record begins there. */
  readonly wholeBytes?: (payload: Uint8Array) => StepwiseTask<number>
}

export function excerptOf(text: string): string {
  return text.slice(0, 120)
}

/** A batch without storable records. */
export function nothingOf(rejected: number, errors: readonly IngestError[]): DecodedBatch {
  const nothing: IngestReport = { accepted: 0, rejected, errors }
  return { nothing, apply: () => doneTask(nothing) }
}
