import { MAX_NS, MIN_NS, type StepwiseTask } from '../../base/index.ts'
import { Instant, printStreamName, type LabelPair, type MutableRow } from '../../data/index.ts'
import { LeftOut, type ReadRecords } from '../otlp/sent-records.ts'
import type { PartCount } from '../part-count.ts'
import { DETECTED_LEVEL, SERVICE_NAME, discoveredLevel, discoveredService } from './discover.ts'
import { MAX_ITEM_BYTES } from '../tuning.ts'

/** One line of a stream. */
export interface Entry {
  /**
   * The time in nanoseconds since 1970; `undefined` when none was sent. A line with an `unreadable` time is rejected.
   */
  readonly timeNs: bigint | undefined | 'unreadable'
  readonly line: string
  readonly metadata: readonly LabelPair[]
}

/** A stream. Iterating its entries decodes them; this is possible only once. */
export interface Stream {
  /** The labels, or the reason why they cannot be read. */
  readonly labels: readonly LabelPair[] | string
  readonly entries: Iterable<Entry>
}

/**
 * Makes one record of each line. Labels and metadata become fields, and the unchanged line becomes `content`. With
 * `isDiscovering`, as in Loki, a stream also gets its service's name as a label, and a line gets its level as metadata.
 */
export function* lokiRecords(
  streams: Iterable<Stream>,
  parts: PartCount,
  isDiscovering: boolean,
): StepwiseTask<ReadRecords> {
  const rows: MutableRow[] = []
  const leftOut = new LeftOut()
  for (const { labels: sent, entries } of streams) {
    const labels = typeof sent === 'string' || !isDiscovering ? sent : withService(sent)
    for (const entry of entries) {
      const row = typeof labels === 'string' ? labels : recordOf(labels, entry, parts, isDiscovering)
      if (typeof row !== 'string') rows.push(row)
      leftOut.next(typeof row === 'string' ? row : undefined, entry.line)
      if (parts.isTurn()) yield
    }
  }
  return { rows, leftOut }
}

function withService(labels: readonly LabelPair[]): readonly LabelPair[] {
  return labels.some(([name]) => name === SERVICE_NAME)
    ? labels
    : [...labels, [SERVICE_NAME, discoveredService(labels)]]
}

function recordOf(
  labels: readonly LabelPair[],
  entry: Entry,
  parts: PartCount,
  isDiscovering: boolean,
): MutableRow | string {
  const { timeNs, line, metadata } = entry
  if (timeNs === 'unreadable' || (timeNs !== undefined && (timeNs < MIN_NS || timeNs > MAX_NS)))
    return 'its time is not one in nanoseconds'
  if (line.length > MAX_ITEM_BYTES) return 'it is longer than 8 MiB'
  parts.addLabels(labels.length + metadata.length + 2)
  const record: MutableRow = new Map(labels)
  const ofStream = new Set(record.keys())
  // As in Loki, metadata do not overwrite a label of the stream.
  for (const [name, value] of metadata)
    if (name !== '') record.set(ofStream.has(name) ? `${name}_extracted` : name, value)
  if (isDiscovering) record.set(DETECTED_LEVEL, discoveredLevel(labels, metadata, line))
  if (labels.length > 0) record.set('_stream', printStreamName(labels))
  if (timeNs !== undefined) record.set('_time', new Instant(timeNs))
  record.set('content', line)
  return record
}
