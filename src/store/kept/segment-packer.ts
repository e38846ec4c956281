import { inTurns, type Turns } from '../../base/index.ts'
import type { PartSummary } from '../durable/index.ts'
import { WordIndexBuilder, withWords, type Segment } from '../memory/index.ts'
import { writePart, type TableNames } from '../segments/index.ts'
import { Pieces } from './pieces.ts'

/** The file of a part with one row group. */
export interface PackedSegment {
  /** Bytes of the file, in order. */
  readonly pieces: readonly Uint8Array[]
  readonly summary: PartSummary
}

/** Makes the bytes of parts while its caller does other things. */
export interface SegmentPacker {
  /** Whether it makes the part of a segment of so many rows, with its words if it has none yet. */
  takes(rows: number): boolean
  /** Rejects where that fails; the caller makes the part then. */
  pack(segment: Segment, names: TableNames): Promise<PackedSegment>
}

/** The part of a segment in memory, in pieces to `take`; one that was sealed without its words gets them. */
export function* packSegment(
  segment: Segment,
  names: TableNames,
  words: WordIndexBuilder,
  take: (piece: Uint8Array<ArrayBuffer>) => void,
): Turns<PartSummary> {
  const pieces = new Pieces(take, true)
  const whole = yield* withWords(segment, words)
  const summary = yield* writePart(whole, names, (bytes) => pieces.add(bytes))
  pieces.flush()
  return summary
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
  begin(segment: Segment, names: TableNames): boolean {
    if (this.#begun.has(segment)) return true
    if (this.#begun.size >= MOST_AHEAD) return false
    const packed = this.#ask(segment, names)
    if (packed !== undefined) this.#begun.set(segment, packed)
    return true
  }

  /** The file of a segment, by the packer or in turns of this thread where there is none or it fails; its pieces go to `take`. */
  async pack(segment: Segment, names: TableNames, take: (piece: Uint8Array) => void): Promise<PartSummary> {
    this.begin(segment, names)
    const packed = await (this.#begun.get(segment) ?? this.#ask(segment, names))
    this.#begun.delete(segment)
    if (packed === undefined) return inTurns(packSegment(segment, names, new WordIndexBuilder(), take))
    for (const piece of packed.pieces) take(piece)
    return packed.summary
  }

  /** `undefined` of what the packer does not take or cannot make: that is made here when it is wanted. */
  #ask(segment: Segment, names: TableNames): Promise<PackedSegment | undefined> | undefined {
    if (this.#packer?.takes(segment.rowCount) !== true) return undefined
    return this.#packer.pack(segment, names).catch(() => undefined)
  }
}
