import { invariant, type SluiceError } from '../../../base/index.ts'
import type { StoredFile } from '../replica/table-news.ts'
import type { Segment } from '../segment.ts'

/** The sealed segments of a table. */
export class SegmentList {
  /** The array is replaced, never changed, since readers cache derived facts with it. */
  #all: readonly Segment[] = []
  #nextId = 0
  #version = 0
  /** Returns the file of a segment; `undefined` if readers in other threads cannot read the segment from a file. */
  storedAt: ((segment: Segment) => StoredFile | undefined) | undefined
  /** Called when a reader in another thread found a damaged file but could still answer. */
  onDamagedFile: ((path: string, error: SluiceError) => void) | undefined

  /** The segments in the order of sealing. The returned array never changes. */
  get all(): readonly Segment[] {
    return this.#all
  }

  /** A number that is greater after each change. */
  get version(): number {
    return this.#version
  }

  /** Returns an unused segment id. */
  newId(): number {
    return this.#nextId++
  }

  /** Appends segments. Their codes must belong to the dictionaries of the table. */
  add(segments: readonly Segment[]): void {
    this.#all = [...this.#all, ...segments]
    for (const { id } of segments) this.#nextId = Math.max(this.#nextId, id + 1)
    this.#version++
  }

  /** Removes all segments from the list and returns them. */
  takeAll(): readonly Segment[] {
    const all = this.#all
    this.#all = []
    if (all.length > 0) this.#version++
    return all
  }

  /**
   * Replaces segments by others with the same rows; with an empty `by`, the rows are removed. Running queries continue
   * with the old segments.
   */
  replace(old: ReadonlySet<Segment>, by: readonly Segment[]): void {
    const first = this.#all.findIndex((segment) => old.has(segment))
    invariant(first !== -1, 'a sealed segment')
    this.#all = this.#all.filter((segment) => !old.has(segment)).toSpliced(first, 0, ...by)
    this.#version++
  }
}
