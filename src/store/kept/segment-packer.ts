import { inTurns, type Turns } from '../../base/index.ts'
import type { SegmentSummary } from '../durable/index.ts'
import { WordIndexBuilder, withWords, type Segment } from '../memory/index.ts'
import { writeSegment } from '../segments/index.ts'
import { Pieces } from './pieces.ts'

/** What a file says of the table of its segment. */
export interface SegmentNames {
  readonly table: string
  readonly timeField: string
}

/** The file of a segment. */
export interface PackedSegment {
  /** One behind the other. */
  readonly pieces: readonly Uint8Array[]
  readonly summary: SegmentSummary
}

/** Makes the bytes of segment files while its caller does other things. */
export interface SegmentPacker {
  /** Whether it makes the file of a segment of so many rows, with its words if it has none yet. */
  takes(rows: number): boolean
  /** Rejects where it came to nothing; whoever asked makes the file then. */
  pack(segment: Segment, names: SegmentNames): Promise<PackedSegment>
}

/** The file of a segment in memory, in pieces to `take`; one that was sealed without its words gets them. */
export function* packSegment(
  segment: Segment,
  names: SegmentNames,
  words: WordIndexBuilder,
  take: (piece: Uint8Array<ArrayBuffer>) => void,
): Turns<SegmentSummary> {
  const pieces = new Pieces(take)
  const summary = yield* writeSegment(yield* withWords(segment, words), names, (bytes) => pieces.add(bytes))
  pieces.flush()
  return summary
}

/** The same by a packer, or in turns of this thread where there is none or it fails. */
export async function packedBy(
  packer: SegmentPacker | undefined,
  segment: Segment,
  names: SegmentNames,
  take: (piece: Uint8Array) => void,
): Promise<SegmentSummary> {
  if (packer?.takes(segment.rowCount) === true) {
    const packed = await packer.pack(segment, names).catch(() => undefined)
    if (packed !== undefined) {
      for (const piece of packed.pieces) take(piece)
      return packed.summary
    }
  }
  return inTurns(packSegment(segment, names, new WordIndexBuilder(), take))
}
