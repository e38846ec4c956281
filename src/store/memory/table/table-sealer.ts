import { atOnce, unshared, type Turns } from '../../../base/index.ts'
import type { RecordTableDefinition } from '../../../plan/index.ts'
import { sealInTurns, sealTail, withWords, type SealOptions } from '../seal.ts'
import type { Segment } from '../segment.ts'
import type { Tail } from '../tail.ts'
import type { WordIndex } from '../words/word-index.ts'
import { WordIndexBuilder } from '../words/word-index-builder.ts'
import type { MemoryTableOptions } from './table-options.ts'
import type { SegmentList } from './segment-list.ts'
import type { TableTails } from './table-tails.ts'

/** Makes segments of full tails, and the word indexes of segments. */
export class TableSealer {
  readonly #definition: RecordTableDefinition
  readonly #isReadOnce: boolean
  readonly #tails: TableTails
  readonly #segments: SegmentList
  /** `undefined` while it is in use or not made yet. */
  #idleBuilder: WordIndexBuilder | undefined
  #sealsLater = false
  #sealing: Turns<void> | undefined
  #defersWords = false
  /** Sealed segments that have no word index yet. */
  readonly #withoutWords: Segment[] = []
  /** Whether a segment of this many rows gets its word index when it is sealed; otherwise its file brings it. */
  sealsWords: (rows: number) => boolean = () => true
  /** Buffers of a sealed tail go to the next one unless they take more, bytes. */
  mostSpareBytes = 0
  /** Called with each sealed segment. */
  onSealed: ((segment: Segment) => void) | undefined

  constructor(
    definition: RecordTableDefinition,
    { isReadOnce }: MemoryTableOptions,
    { tails, segments }: { readonly tails: TableTails; readonly segments: SegmentList },
  ) {
    this.#definition = definition
    this.#isReadOnce = isReadOnce === true
    this.#tails = tails
    this.#segments = segments
  }

  /** Runs work that adds rows; the tails that it fills wait for `sealFull`. */
  sealingLater<T>(work: () => T): T {
    this.#sealsLater = true
    try {
      return work()
    } finally {
      this.#sealsLater = false
    }
  }

  /** A tail is full: seals it unless `sealingLater` is running. */
  tailFilled(): void {
    if (!this.#sealsLater) atOnce(this.sealFull())
  }

  /** Seals all full tails, whose rows queries see all the time. A second call continues what the first one began. */
  *sealFull(): Turns<void> {
    for (;;) {
      const [tail] = this.#tails.full
      if (tail === undefined) return
      this.#sealing ??= this.#sealNext(tail)
      if (this.#sealing.next().done === true) this.#sealing = undefined
      yield
    }
  }

  /** A segment of the rows of a tail from a row on, for queries; the tail stays as it is. */
  segmentOf(tail: Tail, fromRow: number): Segment {
    const options = this.#optionsFrom(fromRow)
    return this.#isReadOnce ? unshared(() => sealTail(tail, options)) : sealTail(tail, options)
  }

  /** From here on segments are sealed without word index: searches give the same rows, more slowly, until `indexWords`. */
  deferWords(): void {
    this.#defersWords = true
  }

  /** Indexes the words of one segment that lacks them, and ends `deferWords`; false if no segment lacks them. */
  *indexWords(): Turns<boolean> {
    this.#defersWords = false
    const segment = this.#withoutWords.pop()
    if (segment === undefined || this.#isReadOnce) return false
    this.#segments.replace(new Set([segment]), [yield* this.#withWords(segment)])
    return true
  }

  /** Adds the word index of a sealed segment that was made elsewhere; ignored if the segment has left. */
  addWords(segment: Segment, words: WordIndex): void {
    if (!this.#segments.all.includes(segment)) return
    const memoryBytes = segment.memoryBytes + words.memoryBytes
    this.#segments.replace(new Set([segment]), [{ ...segment, words, memoryBytes }])
  }

  /** Frees the working memory of word indexes. */
  dropWorkingMemory(): void {
    this.#idleBuilder = undefined
  }

  #optionsFrom(fromRow: number): SealOptions {
    const { timeField, textField } = this.#definition
    return { id: this.#segments.newId(), timeField, textField, fromRow, isReadOnce: this.#isReadOnce }
  }

  *#sealNext(tail: Tail): Turns<void> {
    const isForLater = this.#defersWords
    const defersWords = isForLater || !this.sealsWords(tail.rowCount)
    // Words take longest: queries that come meanwhile read the segment without them.
    tail.sealed ??= this.#isReadOnce ? this.segmentOf(tail, 0) : yield* sealInTurns(tail, this.#optionsFrom(0))
    const segment = defersWords || this.#isReadOnce ? tail.sealed : yield* this.#withWords(tail.sealed)
    this.#tails.removeSealed()
    tail.handOver(this.mostSpareBytes)
    if (isForLater) this.#withoutWords.push(segment)
    this.#segments.add([segment])
    this.onSealed?.(segment)
  }

  *#withWords(segment: Segment): Turns<Segment> {
    // One index at a time uses the working memory of the one before.
    const builder = this.#idleBuilder ?? new WordIndexBuilder()
    this.#idleBuilder = undefined
    const indexed = yield* withWords(segment, builder)
    this.#idleBuilder = builder
    return indexed
  }
}
