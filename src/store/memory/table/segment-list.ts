import { invariant, type SluiceError } from '../../../base/index.ts'
import type { StoredFile } from '../replica/table-news.ts'
import type { Segment } from '../segment.ts'

/** The sealed segments of a table. */
export class SegmentList {
  /** Replaced, never changed: readers keep what they derived from one list. */
  #all: readonly Segment[] = []
  #nextId = 0
  #version = 0
  /** The file of a segment, if readers in other threads can read it there. */
  storedAt: ((segment: Segment) => StoredFile | undefined) | undefined
  /** Called for a file that a reader in another thread found damaged and whose damage cost no answer. */
  onDamagedFile: ((path: string, error: SluiceError) => void) | undefined

  /** In the order in which they were sealed; the array never changes. */
  get all(): readonly Segment[] {
    return this.#all
  }

  /** Grows with each change. */
  get version(): number {
    return this.#version
  }

  /** An id that no segment has yet. */
  newId(): number {
    return this.#nextId++
  }

  /** Appends segments whose dictionary codes are those of the table. */
  add(segments: readonly Segment[]): void {
    this.#all = [...this.#all, ...segments]
    for (const { id } of segments) this.#nextId = Math.max(this.#nextId, id + 1)
    this.#version++
  }

  /** Gives all segments, which it then has no more. */
  takeAll(): readonly Segment[] {
    const all = this.#all
    this.#all = []
    if (all.length > 0) this.#version++
    return all
  }

  /** Puts segments in the place of others with the same rows; an empty `by` removes the rows. Running queries keep the old ones. */
  replace(old: ReadonlySet<Segment>, by: readonly Segment[]): void {
    const first = this.#all.findIndex((segment) => old.has(segment))
    invariant(first !== -1, 'a sealed segment')
    this.#all = this.#all.filter((segment) => !old.has(segment)).toSpliced(first, 0, ...by)
    this.#version++
  }
}
