import { present } from '../../../base/index.ts'
import { gather, isInPieces, type Column } from '../../../data/index.ts'
import type { FieldRows, Segment } from '../../../store/index.ts'
import { Frame } from '../frame.ts'
import type { ScanSource } from '../segments/source.ts'
import { gatherColumn } from './gather-column.ts'

/** A reference to one row of a segment. */
export interface RowRef {
  readonly segment: Segment
  readonly row: number
}

/** Prefetches, from segments in files, the columns of these rows that the scan needs. */
export function prefetchRows(source: ScanSource, refs: readonly RowRef[]): void {
  const rowsOf = new Map<Segment, number[]>()
  for (const { segment, row } of refs) {
    if (segment.followedBy === undefined) continue
    const rows = rowsOf.get(segment)
    if (rows === undefined) rowsOf.set(segment, [row])
    else rows.push(row)
  }
  for (const [segment, rows] of rowsOf) source.rowsAhead(segment, Uint32Array.from(rows))
}

/** Reads one field of rows in many segments, with few file reads for all segments together. */
function readTogether(groups: readonly { readonly frame: Frame; readonly rows: Uint32Array }[], name: string): void {
  const all: FieldRows[] = []
  for (const { frame, rows } of groups) {
    const field = frame.segment?.columns.get(name)
    if (field?.column === frame.column(name)) all.push({ field, rows })
  }
  if (all.length > 1) all[0]?.field.readTogether?.(all)
}

/** Returns a frame of these rows with the columns of the scan. */
export function frameOfRefs(source: ScanSource, refs: readonly RowRef[]): Frame {
  const { length } = refs
  const groups: { readonly frame: Frame; readonly rows: number[] }[] = []
  const groupNumbers = new Map<Segment, number>()
  /** For each row: the index of its group (rows of one segment), its index in the group, and its row in the segment. */
  const groupOf = new Uint32Array(length)
  const rowInGroup = new Uint32Array(length)
  const rowOf = new Uint32Array(length)
  for (const [i, { segment, row }] of refs.entries()) {
    let number = groupNumbers.get(segment)
    if (number === undefined) {
      number = groups.push({ frame: source.frame(segment), rows: [] }) - 1
      groupNumbers.set(segment, number)
    }
    groupOf[i] = number
    rowInGroup[i] = present(groups[number]).rows.push(row) - 1
    rowOf[i] = row
  }
  const names = new Set<string>()
  for (const { frame } of groups) for (const name of frame.names) names.add(name)
  const columns = new Map<string, () => Column>()
  for (const name of names) {
    columns.set(name, () => {
      const stored = groups.map(({ frame }) => frame.column(name))
      if (!stored.some(isInPieces)) return gatherColumn(stored, { partOf: groupOf, rows: rowOf })
      const rows = groups.map((group) => Uint32Array.from(group.rows))
      readTogether(
        groups.map(({ frame }, i) => ({ frame, rows: present(rows[i]) })),
        name,
      )
      const read = stored.map((column, i) => gather(column, present(rows[i])))
      return gatherColumn(read, { partOf: groupOf, rows: rowInGroup })
    })
  }
  return new Frame(length, columns, (index) =>
    groups[groupOf[index] ?? 0]?.frame.identity?.(present(rowOf[index], 'a row')),
  )
}
