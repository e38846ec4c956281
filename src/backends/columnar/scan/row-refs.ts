import { present } from '../../../base/index.ts'
import { gather, isInPieces, type Column } from '../../../data/index.ts'
import type { FieldRows, Segment } from '../../../store/index.ts'
import { Frame } from '../frame.ts'
import type { ScanSource } from '../segments/source.ts'
import { columnOfPlaces } from './column-of-places.ts'

/** One row of a segment. */
export interface RowPlace {
  readonly segment: Segment
  readonly row: number
}

/** The rows as a scan shows them. */
export function frameOfPlaces(source: ScanSource, places: readonly RowPlace[]): Frame {
  const frames = new Map<Segment, Frame>()
  let last: Segment | undefined
  let frame: Frame | undefined
  const refs: RowRef[] = []
  for (const { segment, row } of places) {
    if (segment !== last || frame === undefined) {
      last = segment
      frame = frames.get(segment)
      if (frame === undefined) frames.set(segment, (frame = source.frame(segment)))
    }
    refs.push({ frame, row })
  }
  return frameOfRefs(refs)
}

/** Has what the scan gives of these rows read, where it lies in files. */
export function placesAhead(source: ScanSource, places: readonly RowPlace[]): void {
  const rowsOf = new Map<Segment, number[]>()
  for (const { segment, row } of places) {
    if (segment.followedBy === undefined) continue
    const rows = rowsOf.get(segment)
    if (rows === undefined) rowsOf.set(segment, [row])
    else rows.push(row)
  }
  for (const [segment, rows] of rowsOf) source.rowsAhead(segment, Uint32Array.from(rows))
}

/** One row of a frame of a segment. */
export interface RowRef {
  readonly frame: Frame
  readonly row: number
}

/** Reads a field of rows of many segments, where it lies in files. */
function readTogether(parts: readonly { readonly frame: Frame; readonly rows: Uint32Array }[], name: string): void {
  const all: FieldRows[] = []
  for (const { frame, rows } of parts) {
    const field = frame.segment?.columns.get(name)
    if (field?.column === frame.column(name)) all.push({ field, rows })
  }
  if (all.length > 1) all[0]?.field.readTogether?.(all)
}

/** A frame of single rows from many places. */
export function frameOfRefs(refs: readonly RowRef[]): Frame {
  const { length } = refs
  const parts: { readonly frame: Frame; readonly rows: number[] }[] = []
  const partNumbers = new Map<Frame, number>()
  /** Of each row its part, its number there, and its number among all rows of the frame. */
  const partOf = new Uint32Array(length)
  const placeOf = new Uint32Array(length)
  const rowOf = new Uint32Array(length)
  for (let i = 0; i < length; i++) {
    const { frame, row } = present(refs[i])
    let number = partNumbers.get(frame)
    if (number === undefined) {
      number = parts.push({ frame, rows: [] }) - 1
      partNumbers.set(frame, number)
    }
    partOf[i] = number
    placeOf[i] = present(parts[number]).rows.push(row) - 1
    rowOf[i] = row
  }
  const names = new Set<string>()
  for (const { frame } of parts) for (const name of frame.names) names.add(name)
  const columns = new Map<string, () => Column>()
  for (const name of names) {
    columns.set(name, () => {
      const stored = parts.map(({ frame }) => frame.column(name))
      if (!stored.some(isInPieces)) return columnOfPlaces(stored, { partOf, rows: rowOf })
      const rows = parts.map((part) => Uint32Array.from(part.rows))
      readTogether(
        parts.map(({ frame }, i) => ({ frame, rows: present(rows[i]) })),
        name,
      )
      const read = stored.map((column, i) => gather(column, present(rows[i])))
      return columnOfPlaces(read, { partOf, rows: placeOf })
    })
  }
  const at = (index: number): RowRef => present(refs[index], 'a row')
  return new Frame(length, columns, (index) => at(index).frame.identity?.(at(index).row))
}
