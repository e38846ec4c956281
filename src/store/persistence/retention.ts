import { epochStartNs } from '../memory/index.ts'
import { present } from '../../base/index.ts'
import { liveRowGroups, type ManifestState, type RowGroupEntry } from '../durable/index.ts'

/** Limits of age and size for stored data. */
export interface Retention {
  /** The retention period of each table in nanoseconds. A row group is removed when its last row is older. */
  readonly ageNs: ReadonlyMap<string, bigint>
  /**
   * Maximum total size of row groups, sample files and dictionaries of all tables, bytes. The oldest row groups are
   * removed first. Since this does not shrink dictionaries, dictionaries count for at most half of the limit.
   */
  readonly bytes: number | undefined
}

function lastNsOf({ epoch, lastDelta }: RowGroupEntry): bigint {
  return epochStartNs(epoch) + BigInt(lastDelta)
}

/** A row group or sample file to remove: the name of its file and its number in the file. */
export interface Overdue {
  readonly name: string
  readonly number: number
}

/** Returns the row groups and sample files to remove. A row group stays until all of its rows are too old. */
export function overdue(
  { tables }: Pick<ManifestState, 'tables'>,
  { ageNs, bytes }: Retention,
  nowNs: bigint,
): readonly Overdue[] {
  const gone: Overdue[] = []
  const left: (Overdue & { readonly bytes: number; readonly lastNs: bigint })[] = []
  let total = 0
  let dictionaryBytes = 0
  for (const { table, parts, dictionaries } of tables.values()) {
    const age = ageNs.get(table)
    for (const part of parts) {
      const { name } = part
      for (const number of liveRowGroups(part)) {
        const entry = present(part.rowGroups[number])
        const lastNs = lastNsOf(entry)
        if (age !== undefined && lastNs < nowNs - age) gone.push({ name, number })
        else left.push({ name, number, bytes: entry.bytes, lastNs })
      }
    }
    dictionaryBytes += dictionaries?.bytes ?? 0
  }
  if (bytes === undefined) return gone
  for (const each of left) total += each.bytes
  total += Math.min(dictionaryBytes, bytes / 2)
  for (const { bytes: freed, ...each } of left.sort((a, b) =>
    a.lastNs < b.lastNs ? -1 : a.lastNs > b.lastNs ? 1 : 0,
  )) {
    if (total <= bytes) break
    total -= freed
    gone.push({ name: each.name, number: each.number })
  }
  return gone
}
