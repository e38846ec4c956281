import { present } from '../../../base/index.ts'
import { columnOfValues, valueAt, type Column } from '../../../data/index.ts'
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
  return frameOfRefs(
    places.map(({ segment, row }): RowRef => {
      let frame = frames.get(segment)
      if (frame === undefined) {
        frame = source.frame(segment)
        frames.set(segment, frame)
      }
      return { frame, row }
    }),
  )
}

/** One row of a frame of a segment. */
export interface RowRef {
  readonly frame: Frame
  readonly row: number
}

/** A frame of single rows from many places. */
export function frameOfRefs(refs: readonly RowRef[]): Frame {
  const names = new Set<string>()
  for (const frame of new Set(refs.map((ref) => ref.frame))) for (const name of frame.names) names.add(name)
  const columns = new Map<string, () => Column>()
  for (const name of names) {
    columns.set(name, () => columnOfValues(refs.map(({ frame, row }) => valueAt(frame.column(name), row))))
  }
  const at = (index: number): RowRef => present(refs[index], 'a row')
  return new Frame(refs.length, columns, (index) => at(index).frame.identity?.(at(index).row))
}
