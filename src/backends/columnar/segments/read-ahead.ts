import { SluiceError } from '../../../base/index.ts'
import type { Segment } from '../../../store/index.ts'
import type { Predicate } from '../expr/predicate.ts'
import { segmentFrame } from '../segment-frame.ts'
import type { SegmentRange } from './segment-range.ts'

/** What a condition needs of a segment is read in so many steps, each of which has to know what the one before it asked for. */
const STEPS = 3
/** So far ahead segments are asked what they say of themselves, without which none of these steps can be taken. */
const CONTENTS_AHEAD = STEPS + 3

/**
 * Has the system read what conditions need of the segments that a scan comes to next, while it works on others. The first
 * segment is waited for: a limit may be met there.
 */
export class ReadAhead {
  readonly #ranges: readonly SegmentRange[]
  readonly #predicates: readonly Predicate[]
  readonly #isLeftOut: (segment: Segment) => boolean
  #places: ReadonlyMap<Segment, number> | undefined
  #last: Segment | undefined
  #segments = 0
  /** By place: whether the first step had to ask for anything. */
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

  /** To be called when a segment is looked at. `isAlone`: whether one condition has to hold, and how many rows it holds for is all that is wanted. */
  at(segment: Segment, isAlone: boolean): void {
    if (segment === this.#last || segment.followedBy === undefined) return
    this.#last = segment
    if (++this.#segments === 1) return
    this.#places ??= new Map(this.#ranges.map((range, place) => [range.segment, place]))
    const place = this.#places.get(segment) ?? this.#ranges.length
    const next = this.#nextOpen(place)
    for (const ahead of next) this.#ranges[ahead].segment.readAhead?.()
    for (let step = 0; step < STEPS; step++) {
      const ahead = next[STEPS - 1 - step]
      if (ahead !== undefined) this.#take(ahead, step, isAlone)
    }
  }

  /** Places of the ranges behind this one that are looked at next. */
  #nextOpen(place: number): readonly number[] {
    const found: number[] = []
    for (let next = place + 1; next < this.#ranges.length && found.length < CONTENTS_AHEAD; next++)
      if (!this.#isLeftOut(this.#ranges[next].segment)) found.push(next)
    return found
  }

  #take(place: number, step: number, isAlone: boolean): void {
    const { segment } = this.#ranges[place]
    if (step > 0 && this.#isCold[place] === 0) return
    try {
      const frame = segmentFrame(segment)
      for (const predicate of this.#predicates)
        if (predicate.readAhead?.(frame, step, isAlone) === true) this.#isCold[place] = 1
    } catch (error) {
      throwUnlessDamage(error)
    }
  }
}

/** Ignores damaged and unreadable blocks while prefetching: the scan reports the error if it reaches the block. Rethrows all else. */
export function throwUnlessDamage(error: unknown): void {
  if (!(error instanceof SluiceError) || (error.code !== 'durable/damaged' && error.code !== 'durable/read-failed'))
    throw error
}
