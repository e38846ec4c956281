import { MIB, doneTask, type StepwiseTask } from '../../base/index.ts'
import type { RecordFaults } from '../../data/index.ts'
import type { Batch } from '../../store/durable/index.ts'
import type { SamplePacker } from '../../store/packed-samples/index.ts'
import type { MemoryStore, MetricCatalog, RecordOptions, SampleStore } from '../../store/index.ts'
import type { Marks } from './marks.ts'

/** Tables and samples of one backend, into which data is stored. */
export interface IngestTarget {
  readonly store: MemoryStore
  readonly samples: SampleStore
  readonly metricCatalog: MetricCatalog
  /** Maximum number of series. Without a limit, a label with a new value in each sample would exhaust the memory. */
  readonly limitSeries: number
  /** Packs samples in memory, if there are no files. */
  readonly packer?: SamplePacker | undefined
}

/** Maximum decompressed size of a Snappy message, bytes. */
export const MAX_UNPACKED_BYTES = 64 * MIB

/** Series limit of logged batches that state none. It must never change, because replays depend on it. */
const UNNAMED_LIMIT_SERIES = 1_000_000

/** Limits that decided which samples of a batch were accepted. They are stored in its log record. */
export function limitsInLog({ limitSeries }: IngestTarget): Pick<Batch, 'limitSeries'> {
  return limitSeries === UNNAMED_LIMIT_SERIES ? {} : { limitSeries }
}

/**
 * Returns the target for replaying a batch. It accepts exactly the samples that were accepted when the batch was
 * logged, whatever the limits are now.
 */
export function targetInLog(
  target: IngestTarget,
  { limitSeries = UNNAMED_LIMIT_SERIES }: Pick<Batch, 'limitSeries'>,
): IngestTarget {
  return { ...target, limitSeries }
}

/** A rejected record of a payload. */
export interface IngestError {
  /** Line number in a text, from 1, or index in a list. */
  readonly line: number
  readonly reason: string
  /** The beginning of the rejected record, at most 120 characters. */
  readonly excerpt?: string
}

export interface IngestReport extends Partial<RecordFaults> {
  readonly accepted: number
  readonly rejected: number
  /** Errors of the first few rejected records. */
  readonly errors: readonly IngestError[]
  /** Result of each item, if the protocol's answer lists them. */
  readonly marks?: Marks
  /** Number of accepted native histograms. */
  readonly histograms?: number
  /** Number of stored exemplars. */
  readonly exemplars?: number
  /**
   * Number of bytes at the end of this part of a body with which the next part begins. Absent for the last part, and if
   * the body cannot be read any further.
   */
  readonly leftBytes?: number
}

/** A decoded payload that has not been stored yet. */
export interface DecodedBatch {
  /** The report to return if no record of the payload can be stored. */
  readonly nothing?: IngestReport
  /**
   * Upper bound of the memory that the rows need, bytes. Set if this bound may be larger than usual for the payload's
   * size.
   */
  readonly mostBytes?: number
  /** Stores the rows step by step. Never fails. */
  readonly apply: (target: IngestTarget) => StepwiseTask<IngestReport>
}

/** Decodes one format for one table. */
export interface IngestDecoder {
  /** Name of the table in the catalog. */
  readonly table: string
  /** Name of the format in the batch log. Its meaning must never change. */
  readonly format: string
  /** True if line feeds do not separate records. In that case `wholeBytes` finds the complete records of a part. */
  readonly isBinary?: boolean
  /**
   * Decodes a payload that arrived at `receivedNs`, with the sender's options. Decoding is deterministic and has no
   * side effects: equal payloads give equal rows in the same order. Throws a `SluiceError` if the payload has another
   * format.
   */
  readonly decode: (payload: Uint8Array, receivedNs: bigint, options?: RecordOptions) => StepwiseTask<DecodedBatch>
  /**
   * Returns the number of bytes at the start of an incomplete payload that form complete records; -1 if the payload
   * does not begin with a record.
   */
  readonly wholeBytes?: (payload: Uint8Array) => StepwiseTask<number>
}

export function excerptOf(text: string): string {
  return text.slice(0, 120)
}

/** Returns a batch in which no record can be stored. */
export function nothingOf(rejected: number, errors: readonly IngestError[]): DecodedBatch {
  const nothing: IngestReport = { accepted: 0, rejected, errors }
  return { nothing, apply: () => doneTask(nothing) }
}
