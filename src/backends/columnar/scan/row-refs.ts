import { present } from '../../../base/index.ts'
import { columnOfValues, gather, valueAt, type Column } from '../../../data/index.ts'
import type { Segment } from '../../../store/index.ts'
import { Frame } from '../frame.ts'
import type { ScanSource } from '../segments/source.ts'

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

/** A frame of single rows from many places. */
export function frameOfRefs(refs: readonly RowRef[]): Frame {
  const rowsOf = new Map<Frame, number[]>()
  /** Of each row its number among those of its frame. */
  const placeOf = Uint32Array.from(refs, ({ frame, row }) => {
    const rows = rowsOf.get(frame)
    if (rows !== undefined) return rows.push(row) - 1
    rowsOf.set(frame, [row])
    return 0
  })
  const frames = [...rowsOf.keys()]
  const rows = Array.from(rowsOf.values(), (each) => Uint32Array.from(each))
  const numbers = new Map(frames.map((frame, i) => [frame, i]))
  /** Which of the frames each row is in. */
  const frameOf = Uint32Array.from(refs, ({ frame }) => numbers.get(frame) ?? 0)
  const names = new Set(frames.flatMap((frame) => frame.names))
  const columns = new Map<string, () => Column>()
  for (const name of names) {
    columns.set(name, () => {
      const parts = frames.map((frame, i) => gather(frame.column(name), present(rows[i])))
      return columnOfValues(refs.map((_, i) => valueAt(present(parts[frameOf[i] ?? 0]), placeOf[i] ?? 0)))
    })
  }
  const at = (index: number): RowRef => present(refs[index], 'a row')
  return new Frame(refs.length, columns, (index) => at(index).frame.identity?.(at(index).row))
}
