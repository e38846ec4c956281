import { runToEnd, unshared, type StepwiseTask } from '../../../base/index.ts'
import type { RecordTableDefinition } from '../../../plan/index.ts'
import { sealStepwise, sealTail, withWords, type SealOptions } from '../seal.ts'
import type { Segment } from '../segment.ts'
import type { Tail } from '../tail.ts'
import type { WordIndex } from '../words/word-index.ts'
import { WordIndexBuilder } from '../words/word-index-builder.ts'
import type { MemoryTableOptions } from './table-options.ts'
import type { SegmentList } from './segment-list.ts'
import type { TableTails } from './table-tails.ts'

/** Seals full tails into segments and builds their word indexes. */
export class TableSealer {
  readonly #definition: RecordTableDefinition
  readonly #isReadOnce: boolean
  readonly #tails: TableTails
  readonly #segments: SegmentList
  /** The builder of word indexes; `undefined` while it is in use and before its first use. */
  #idleBuilder: WordIndexBuilder | undefined
  #sealsLater = false
  #sealing: StepwiseTask<void> | undefined
  #defersWords = false
  /** Sealed segments that have no word index yet. */
  readonly #withoutWords: Segment[] = []
  /**
   * Returns true if a segment of this many rows gets its word index on sealing. Otherwise the index is built with its
   * file.
   */
  sealsWords: (rows: number) => boolean = () => true
  /** Maximum bytes of a sealed tail's buffers that are passed to the next tail. */
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

  /** Runs `work`, which adds rows. Tails that become full meanwhile are not sealed until `sealFull`. */
  sealingLater<T>(work: () => T): T {
    this.#sealsLater = true
    try {
      return work()
    } finally {
      this.#sealsLater = false
    }
  }

  /** Called when a tail is full. Seals it, unless `sealingLater` is running. */
  tailFilled(): void {
    if (!this.#sealsLater) runToEnd(this.sealFull())
  }

  /** Seals all full tails; their rows stay visible to queries. If an earlier call was abandoned, continues its work. */
  *sealFull(): StepwiseTask<void> {
    for (;;) {
      const [tail] = this.#tails.full
      if (tail === undefined) return
      this.#sealing ??= this.#sealNext(tail)
      if (this.#sealing.next().done === true) this.#sealing = undefined
      yield
    }
  }

  /** Returns a segment with the rows of a tail since `fromRow`, for queries. The tail does not change. */
  segmentOf(tail: Tail, fromRow: number): Segment {
    const options = this.#optionsFrom(fromRow)
    return this.#isReadOnce ? unshared(() => sealTail(tail, options)) : sealTail(tail, options)
  }

  /**
   * From now on, seals segments without word index, until `indexWords` runs. Searches return the same rows meanwhile,
   * but take longer.
   */
  deferWords(): void {
    this.#defersWords = true
  }

  /**
   * Ends the deferral by `deferWords`, and builds the word index of one segment that has none. Returns false if all
   * segments have one.
   */
  *indexWords(): StepwiseTask<boolean> {
    this.#defersWords = false
    const segment = this.#withoutWords.pop()
    if (segment === undefined || this.#isReadOnce) return false
    this.#segments.replace(new Set([segment]), [yield* this.#withWords(segment)])
    return true
  }

  /** Adds a word index that was built elsewhere to a sealed segment. Ignored if the table no longer has the segment. */
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

  *#sealNext(tail: Tail): StepwiseTask<void> {
    const isForLater = this.#defersWords
    const defersWords = isForLater || !this.sealsWords(tail.rowCount)
    // Indexing words takes longest. Meanwhile queries read the segment without an index.
    tail.sealed ??= this.#isReadOnce ? this.segmentOf(tail, 0) : yield* sealStepwise(tail, this.#optionsFrom(0))
    const segment = defersWords || this.#isReadOnce ? tail.sealed : yield* this.#withWords(tail.sealed)
    this.#tails.removeSealed()
    tail.handOver(this.mostSpareBytes)
    if (isForLater) this.#withoutWords.push(segment)
    this.#segments.add([segment])
    this.onSealed?.(segment)
  }

  *#withWords(segment: Segment): StepwiseTask<Segment> {
    // If the builder is in use, another one is made; only one is reused.
    const builder = this.#idleBuilder ?? new WordIndexBuilder()
    this.#idleBuilder = undefined
    const indexed = yield* withWords(segment, builder)
    this.#idleBuilder = builder
    return indexed
  }
}
