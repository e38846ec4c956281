import { epochStartNs } from '../memory/index.ts'
import { present } from '../../base/index.ts'
import { liveRowGroups, type ManifestState, type RowGroupEntry } from '../durable/index.ts'

/** How long and how much is kept. */
export interface Retention {
  /** By table, nanoseconds: row groups whose last row is older are deleted. */
  readonly ageNs: ReadonlyMap<string, bigint>
  /**
   * Most bytes of row groups, files of samples and dictionaries of all tables; the oldest row groups are deleted first.
   * Dictionaries do not become smaller with that, so they count for half of it at most.
   */
  readonly bytes: number | undefined
}

function lastNsOf({ epoch, lastDelta }: RowGroupEntry): bigint {
  return epochStartNs(epoch) + BigInt(lastDelta)
}

/** A row group or a file of samples that is too old, by the name of its file and its number there. */
export interface Overdue {
  readonly name: string
  readonly number: number
}

/** The row groups and files of samples that are to leave, whole ones only: rows of one that is partly too old stay with it. */
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
