import { SluiceError } from '../../../base/index.ts'
import type { Segment } from '../../../store/index.ts'
import type { Predicate } from '../expr/predicate.ts'
import { segmentFrame } from '../segment-frame.ts'
import type { SegmentRange } from './segment-range.ts'

/** The steps in which a condition's data of a segment are read. Each step needs the result of the one before. */
const STEPS = 3
/** The number of segments ahead whose contents are read, without which no step can begin. */
const CONTENTS_AHEAD = STEPS + 3

/**
 * Prefetches what conditions need of the next segments of a scan while others are processed. The first segment is not
 * prefetched, since a limit may be reached there.
 */
export class ReadAhead {
  readonly #ranges: readonly SegmentRange[]
  readonly #predicates: readonly Predicate[]
  readonly #isLeftOut: (segment: Segment) => boolean
  #places: ReadonlyMap<Segment, number> | undefined
  #last: Segment | undefined
  #segments = 0
  /** For each position, whether the first step had to read anything. */
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
   * Must be called when a segment is read. `isAlone` tells whether there is only one condition and only its number of
   * rows is wanted.
   */
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

  /** Returns the positions of the ranges that are read after this one. */
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

/**
 * Ignores damaged and unreadable blocks while prefetching, since the scan reports the error if it reaches the block.
 * Rethrows all other errors.
 */
export function throwUnlessDamage(error: unknown): void {
  if (!(error instanceof SluiceError) || (error.code !== 'durable/damaged' && error.code !== 'durable/read-failed'))
    throw error
}
