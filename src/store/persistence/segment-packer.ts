import { runCooperatively, type StepwiseTask } from '../../base/index.ts'
import type { PartSummary } from '../durable/index.ts'
import { WordIndexBuilder, withWords, type Segment } from '../memory/index.ts'
import { writePart, type TableNames } from '../segments/index.ts'
import { ChunkWriter } from './chunk-writer.ts'

/** The file of a part with one row group. */
export interface PackedSegment {
  /** The bytes of the file, in order. */
  readonly chunks: readonly Uint8Array[]
  readonly summary: PartSummary
}

/** Makes the bytes of parts in the background. */
export interface SegmentPacker {
  /** True if it packs segments with this many rows, including the word index when the segment has none yet. */
  takes(rows: number): boolean
  /** Makes the file of a segment. When it rejects, the caller makes the file itself. */
  pack(segment: Segment, names: TableNames): Promise<PackedSegment>
}

/**
 * Writes the part of an in-memory segment in chunks to `take`. A segment that was sealed without a word index gets one.
 */
export function* packSegment(
  segment: Segment,
  names: TableNames,
  words: WordIndexBuilder,
  take: (chunk: Uint8Array<ArrayBuffer>) => void,
): StepwiseTask<PartSummary> {
  const chunks = new ChunkWriter(take, true)
  const whole = yield* withWords(segment, words)
  const summary = yield* writePart(whole, names, (bytes) => chunks.add(bytes))
  chunks.flush()
  return summary
}

/** The most files that are made ahead and held in memory. */
const MOST_AHEAD = 3

/** Requests files from a packer ahead of time. It makes the next files while one is written, synced and named. */
export class PackedAhead {
  readonly #packer: SegmentPacker | undefined
  readonly #begun = new Map<Segment, Promise<PackedSegment | undefined>>()

  constructor(packer: SegmentPacker | undefined) {
    this.#packer = packer
  }

  /** Requests the file of a segment that will be written soon. Returns false when enough files are being made. */
  begin(segment: Segment, names: TableNames): boolean {
    if (this.#begun.has(segment)) return true
    if (this.#begun.size >= MOST_AHEAD) return false
    const packed = this.#ask(segment, names)
    if (packed !== undefined) this.#begun.set(segment, packed)
    return true
  }

  /**
   * Writes the file of a segment to `take`. Without a packer, or when the packer fails, this thread makes the file
   * cooperatively.
   */
  async pack(segment: Segment, names: TableNames, take: (chunk: Uint8Array) => void): Promise<PartSummary> {
    this.begin(segment, names)
    const packed = await (this.#begun.get(segment) ?? this.#ask(segment, names))
    this.#begun.delete(segment)
    if (packed === undefined) return runCooperatively(packSegment(segment, names, new WordIndexBuilder(), take))
    for (const chunk of packed.chunks) take(chunk)
    return packed.summary
  }

  /**
   * Requests a file from the packer. Resolves with `undefined` when the packer fails; returns `undefined` when it does
   * not pack such segments. The caller makes the file then.
   */
  #ask(segment: Segment, names: TableNames): Promise<PackedSegment | undefined> | undefined {
    if (this.#packer?.takes(segment.rowCount) !== true) return undefined
    return this.#packer.pack(segment, names).catch(() => undefined)
  }
}
