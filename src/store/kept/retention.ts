import { epochStartNs } from '../memory/index.ts'
import type { GroupEntry, ManifestState, SegmentEntry } from '../durable/index.ts'

/** How long and how much is kept. */
export interface Retention {
  /** By table: segments whose last row is older leave, nanoseconds. */
  readonly ageNs: ReadonlyMap<string, bigint>
  /**
   * What segments, files of samples, filters and dictionaries of all tables take on the disk at most; the oldest segments leave first.
   * Dictionaries do not become smaller with that, so they count for half of it at most.
   */
  readonly bytes: number | undefined
}

function lastNsOf({ epoch, lastDelta }: SegmentEntry): bigint {
  return epochStartNs(epoch) + BigInt(lastDelta)
}

/** A filter leaves with the last of its segments. */
class Filter {
  readonly bytes: number
  readonly #left: Set<string>

  constructor({ bytes, segments }: GroupEntry, named: ReadonlySet<string>) {
    this.bytes = bytes
    this.#left = new Set(segments.filter((name) => named.has(name)))
  }

  get isEmpty(): boolean {
    return this.#left.size === 0
  }

  /** Whether this was the last one. */
  leaves(name: string): boolean {
    return this.#left.delete(name) && this.isEmpty
  }
}

/** The segments and files of samples that are to leave, whole ones only: rows of one that is partly too old stay with it. */
export function overdue(
  { tables }: Pick<ManifestState, 'tables'>,
  { ageNs, bytes }: Retention,
  nowNs: bigint,
): ReadonlySet<SegmentEntry> {
  const gone = new Set<SegmentEntry>()
  const left: { readonly entry: SegmentEntry; readonly lastNs: bigint; readonly filters: readonly Filter[] }[] = []
  let total = 0
  let dictionaryBytes = 0
  for (const { table, segments, groups, dictionaries } of tables.values()) {
    const age = ageNs.get(table)
    const staying: SegmentEntry[] = []
    for (const entry of segments) {
      if (age !== undefined && lastNsOf(entry) < nowNs - age) gone.add(entry)
      else staying.push(entry)
    }
    if (bytes === undefined) continue
    const named = new Set(staying.map(({ name }) => name))
    const filters = groups.map((group) => new Filter(group, named)).filter(({ isEmpty }) => !isEmpty)
    for (const entry of staying) left.push({ entry, lastNs: lastNsOf(entry), filters })
    for (const each of [...staying, ...filters]) total += each.bytes
    dictionaryBytes += dictionaries?.bytes ?? 0
  }
  if (bytes === undefined) return gone
  total += Math.min(dictionaryBytes, bytes / 2)
  for (const { entry, filters } of left.sort((a, b) => (a.lastNs < b.lastNs ? -1 : a.lastNs > b.lastNs ? 1 : 0))) {
    if (total <= bytes) break
    total -= entry.bytes
    for (const filter of filters) if (filter.leaves(entry.name)) total -= filter.bytes
    gone.add(entry)
  }
  return gone
}
