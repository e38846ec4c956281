import { epochStartNs } from '../memory/index.ts'
import type { SegmentEntry } from '../durable/index.ts'

/** How long and how much is kept. */
export interface Retention {
  /** By table: segments whose last row is older leave, nanoseconds. */
  readonly ageNs: ReadonlyMap<string, bigint>
  /** What the segments of all tables take on the disk at most; the oldest leave first. */
  readonly bytes: number | undefined
}

export interface KeptSegment {
  /** Of its table, as `Retention` names it. */
  readonly table: string
  readonly entry: SegmentEntry
}

function lastNsOf({ epoch, lastDelta }: SegmentEntry): bigint {
  return epochStartNs(epoch) + BigInt(lastDelta)
}

/** The segments that are to leave, whole ones only: rows of one that is partly too old stay with it. */
export function overdue<S extends KeptSegment>(
  segments: readonly S[],
  { ageNs, bytes }: Retention,
  nowNs: bigint,
): readonly S[] {
  const gone = new Set<S>()
  for (const segment of segments) {
    const age = ageNs.get(segment.table)
    if (age !== undefined && lastNsOf(segment.entry) < nowNs - age) gone.add(segment)
  }
  if (bytes === undefined) return [...gone]
  let total = 0
  for (const segment of segments) if (!gone.has(segment)) total += segment.entry.bytes
  const oldestFirst = segments
    .filter((segment) => !gone.has(segment))
    .map((segment) => ({ segment, lastNs: lastNsOf(segment.entry) }))
    .sort((a, b) => (a.lastNs < b.lastNs ? -1 : a.lastNs > b.lastNs ? 1 : 0))
  for (const { segment } of oldestFirst) {
    if (total <= bytes) break
    total -= segment.entry.bytes
    gone.add(segment)
  }
  return [...gone]
}
