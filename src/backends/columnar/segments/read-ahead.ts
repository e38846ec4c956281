import { SluiceError } from '../../../base/index.ts'
import type { Segment } from '../../../store/index.ts'
import type { Predicate } from '../expr/predicate.ts'
import { segmentFrame } from '../segment-frame.ts'
import type { SegmentRange } from './segment-range.ts'

/**
 * Number of steps in which a segment's data for a condition are prefetched. Each step needs the result of the previous
 * one.
 */
const STEPS = 3
/**
 * Number of following segments whose table of contents is prefetched, because no other prefetch step can begin without
 * it.
 */
const CONTENTS_AHEAD = STEPS + 3

/**
 * Prefetches the data that conditions need of the next segments of a scan, while the current segment is processed.
 * Begins at the second segment, since the first one may satisfy a limit.
 */
export class ReadAhead {
  readonly #ranges: readonly SegmentRange[]
  readonly #predicates: readonly Predicate[]
  readonly #isLeftOut: (segment: Segment) => boolean
  #indexOfSegment: ReadonlyMap<Segment, number> | undefined
  #last: Segment | undefined
  #segments = 0
  /**
   * For each range, 1 if a prefetch step had to read something. If the first step read nothing, later steps are
   * skipped.
   */
  readonly #isCold: Uint8Array

  constructor(
    ranges: readonly SegmentRange[],
    predicates: readonly Predicate[],
    isLeftOut: (segment: Segment) => boolean,
  ) {
    this.#ranges = ranges
    this.#predicates = predicates
    this.#isLeftOut = isLeftOut
    this.#isCold = new Uint8Array(ranges.length)
  }

  /**
   * Must be called when the scan reads a segment; prefetches data of the following segments. `isAlone`: there is only
   * one condition, and only the number of matching rows is wanted.
   */
  at(segment: Segment, isAlone: boolean): void {
    if (segment === this.#last || segment.followedBy === undefined) return
    this.#last = segment
    if (++this.#segments === 1) return
    this.#indexOfSegment ??= new Map(this.#ranges.map((range, index) => [range.segment, index]))
    const index = this.#indexOfSegment.get(segment) ?? this.#ranges.length
    const next = this.#nextOpen(index)
    for (const ahead of next) this.#ranges[ahead].segment.readAhead?.()
    for (let step = 0; step < STEPS; step++) {
      const ahead = next[STEPS - 1 - step]
      if (ahead !== undefined) this.#take(ahead, step, isAlone)
    }
  }

  /** Returns the indexes of the ranges that the scan will read next after range `index`, at most `CONTENTS_AHEAD`. */
  #nextOpen(index: number): readonly number[] {
    const found: number[] = []
    for (let next = index + 1; next < this.#ranges.length && found.length < CONTENTS_AHEAD; next++)
      if (!this.#isLeftOut(this.#ranges[next].segment)) found.push(next)
    return found
  }

  #take(index: number, step: number, isAlone: boolean): void {
    const { segment } = this.#ranges[index]
    if (step > 0 && this.#isCold[index] === 0) return
    try {
      const frame = segmentFrame(segment)
      for (const predicate of this.#predicates)
        if (predicate.readAhead?.(frame, step, isAlone) === true) this.#isCold[index] = 1
    } catch (error) {
      throwUnlessDamage(error)
    }
  }
}

/**
 * Returns normally if the error is a damaged or unreadable block, and rethrows other errors. Prefetching ignores such
 * blocks, since the scan reports them if it reaches them.
 */
export function throwUnlessDamage(error: unknown): void {
  if (!(error instanceof SluiceError) || (error.code !== 'durable/damaged' && error.code !== 'durable/read-failed'))
    throw error
}
