import { runCooperatively, type StepwiseTask } from '../../base/index.ts'
import type { PartSummary } from '../durable/index.ts'
import { WordIndexBuilder, withWords, type Segment } from '../memory/index.ts'
import { writePart, type TableNames } from '../segments/index.ts'
import { ChunkWriter } from './chunk-writer.ts'

/** The encoded file of a part that has one row group. */
export interface PackedSegment {
  /** The bytes of the file, in order. */
  readonly chunks: readonly Uint8Array[]
  readonly summary: PartSummary
}

/** Encodes parts in the background, such as in another thread. */
export interface SegmentPacker {
  /** True if the packer accepts segments with this many rows. It also builds the word index if the segment has none. */
  takes(rows: number): boolean
  /** Encodes a segment as a part. If the promise rejects, the caller must encode the segment itself. */
  pack(segment: Segment, names: TableNames): Promise<PackedSegment>
}

/**
 * Encodes a segment in memory as a part and passes the chunks to `take`. Builds the word index if the segment has none.
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

/** Maximum number of files that are encoded ahead and held in memory. */
const MOST_AHEAD = 3

/**
 * Requests files from a packer ahead of time, so that the next files are encoded while one is written, synced and
 * named.
 */
export class PackedAhead {
  readonly #packer: SegmentPacker | undefined
  readonly #begun = new Map<Segment, Promise<PackedSegment | undefined>>()

  constructor(packer: SegmentPacker | undefined) {
    this.#packer = packer
  }

  /**
   * Requests the file of a segment that will be written soon. Returns false if too many files are already requested.
   */
  begin(segment: Segment, names: TableNames): boolean {
    if (this.#begun.has(segment)) return true
    if (this.#begun.size >= MOST_AHEAD) return false
    const packed = this.#ask(segment, names)
    if (packed !== undefined) this.#begun.set(segment, packed)
    return true
  }

  /**
   * Passes the chunks of a segment's file to `take`. Without a packer, or if it fails, this thread encodes the file
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
   * Requests a file from the packer. Returns `undefined` if the packer does not accept the segment, and resolves with
   * `undefined` if the packer fails. In both cases the caller must encode the file.
   */
  #ask(segment: Segment, names: TableNames): Promise<PackedSegment | undefined> | undefined {
    if (this.#packer?.takes(segment.rowCount) !== true) return undefined
    return this.#packer.pack(segment, names).catch(() => undefined)
  }
}
