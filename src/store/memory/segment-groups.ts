import type { Bitmap } from '../../data/index.ts'
import type { RecordTableDefinition } from '../../plan/index.ts'
import type { Segment } from './segment.ts'

/**
 * What is known of many segments together, without a look into any of them. Answers are bitmaps over the places of the segments:
 * a segment whose bit is not set has nothing of what was asked for. `undefined` where that cannot be told.
 */
export interface SegmentGroup {
  readonly textField: string
  /** Has the system read what every question needs first, where that lies in a file. */
  readAhead?(): void
  /** Asked the same it answers nothing, and has the system read what the answer needs. */
  readonly ahead?: SegmentGroup
  /** Segments with a folded word in their text field. */
  withWord(word: Uint8Array): Bitmap | undefined
  /** Segments in which a field has a text that folds to one of these, or values of which that is not known. */
  withTexts(field: string, folded: readonly Uint8Array[]): Bitmap | undefined
}

/** A segment in a group. */
export interface GroupPlace {
  readonly group: SegmentGroup
  readonly place: number
}

/** The file of a group, for a reader that can open it. */
export interface GroupFile {
  readonly path: string
  readonly bytes: number
  /** Of the whole file, CRC-32. */
  readonly crc: number
  /** Names of its segments, by their places. */
  readonly segments: readonly string[]
}

/** Opens the file of a group. */
export type OpenGroup = (file: GroupFile, definition: RecordTableDefinition) => SegmentGroup

/** A group with its segments by their places; `undefined` for one that is gone. */
export interface TableGroup {
  readonly file: GroupFile
  readonly group: SegmentGroup
  readonly segments: readonly (Segment | undefined)[]
}

const places = new WeakMap<Segment, GroupPlace>()

export function groupOf(segment: Segment): GroupPlace | undefined {
  return places.get(segment)
}

/** The segments of `before` are in these groups from here on. */
export function setGroups(before: readonly TableGroup[], groups: readonly TableGroup[]): void {
  for (const { segments } of before) for (const segment of segments) if (segment !== undefined) places.delete(segment)
  for (const { group, segments } of groups)
    for (const [place, segment] of segments.entries()) if (segment !== undefined) places.set(segment, { group, place })
}
