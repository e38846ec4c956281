import { inTurns, type Turns } from '../../base/index.ts'
import type { SegmentSummary } from '../durable/index.ts'
import { WordIndexBuilder, withWords, type Segment } from '../memory/index.ts'
import { NotedHashes, itemsOfMemory, pieceSizes, writeSegment } from '../segments/index.ts'
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
  /** What it may be asked for, as a filter over many segments has it: sorted arrays. */
  readonly hashes: readonly Uint32Array<ArrayBuffer>[]
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
): Turns<Omit<PackedSegment, 'pieces'>> {
  const pieces = new Pieces(take, true)
  const whole = yield* withWords(segment, words)
  const noted = new NotedHashes()
  const summary = yield* writeSegment(whole, names, (bytes) => pieces.add(bytes), pieceSizes, noted)
  pieces.flush()
  return { summary, hashes: yield* itemsOfMemory(whole, noted) }
}

/** So many files are made ahead at most, and held in memory. */
const MOST_AHEAD = 3

/** Asks a packer for files before they are wanted: it makes the next ones while one is written, synced and named. */
export class PackedAhead {
  readonly #packer: SegmentPacker | undefined
  readonly #begun = new Map<Segment, Promise<PackedSegment | undefined>>()

  constructor(packer: SegmentPacker | undefined) {
    this.#packer = packer
  }

  /** Has the file of a segment made that will be written soon; false where enough are being made. */
  begin(segment: Segment, names: SegmentNames): boolean {
    if (this.#begun.has(segment)) return true
    if (this.#begun.size >= MOST_AHEAD) return false
    const packed = this.#ask(segment, names)
    if (packed !== undefined) this.#begun.set(segment, packed)
    return true
  }

  /** The file of a segment, by the packer or in turns of this thread where there is none or it fails; its pieces go to `take`. */
  async pack(
    segment: Segment,
    names: SegmentNames,
    take: (piece: Uint8Array) => void,
  ): Promise<Omit<PackedSegment, 'pieces'>> {
    this.begin(segment, names)
    const packed = await (this.#begun.get(segment) ?? this.#ask(segment, names))
    this.#begun.delete(segment)
    if (packed === undefined) return inTurns(packSegment(segment, names, new WordIndexBuilder(), take))
    for (const piece of packed.pieces) take(piece)
    return packed
  }

  /** `undefined` of what the packer does not take or cannot make: that is made here when it is wanted. */
  #ask(segment: Segment, names: SegmentNames): Promise<PackedSegment | undefined> | undefined {
    if (this.#packer?.takes(segment.rowCount) !== true) return undefined
    return this.#packer.pack(segment, names).catch(() => undefined)
  }
}
