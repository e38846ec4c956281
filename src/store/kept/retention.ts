import { epochStartNs } from '../memory/index.ts'
import type { ManifestState, SegmentEntry } from '../durable/index.ts'

/** How long and how much is kept. */
export interface Retention {
  /** By table: segments whose last row is older leave, nanoseconds. */
  readonly ageNs: ReadonlyMap<string, bigint>
  /** What the segments of all tables take on the disk at most; the oldest leave first. */
  readonly bytes: number | undefined
}

function lastNsOf({ epoch, lastDelta }: SegmentEntry): bigint {
  return epochStartNs(epoch) + BigInt(lastDelta)
}

/** The segments and files of samples that are to leave, whole ones only: rows of one that is partly too old stay with it. */
export function overdue(
  { tables }: Pick<ManifestState, 'tables'>,
  { ageNs, bytes }: Retention,
  nowNs: bigint,
): ReadonlySet<SegmentEntry> {
  const gone = new Set<SegmentEntry>()
  const left: { readonly entry: SegmentEntry; readonly lastNs: bigint }[] = []
  let total = 0
  for (const { table, segments } of tables.values()) {
    const age = ageNs.get(table)
    for (const entry of segments) {
      const lastNs = lastNsOf(entry)
      if (age !== undefined && lastNs < nowNs - age) gone.add(entry)
      else {
        left.push({ entry, lastNs })
        total += entry.bytes
      }
    }
  }
  if (bytes === undefined) return gone
  for (const { entry } of left.sort((a, b) => (a.lastNs < b.lastNs ? -1 : a.lastNs > b.lastNs ? 1 : 0))) {
    if (total <= bytes) break
    total -= entry.bytes
    gone.add(entry)
  }
  return gone
}
