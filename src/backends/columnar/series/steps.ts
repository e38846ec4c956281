import type { Steps } from '../../../functions/series/index.ts'

/**
 * The evaluation times of a query in whole milliseconds since 1970. An instant query has one time, `startMs`, and a
 * step of 0.
 */
export interface SeriesTimes {
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
}

/** Returns the number of evaluation times. */
export function countPoints({ startMs, endMs, stepMs }: SeriesTimes): number {
  return stepMs === 0 ? 1 : Math.floor((endMs - startMs) / stepMs) + 1
}

/** Returns the evaluation times `startMs`, `startMs + stepMs`, … up to `endMs`; only `startMs` when the step is 0. */
export function stepsOf(times: SeriesTimes): Steps {
  const { startMs, stepMs } = times
  const count = countPoints(times)
  const timesMs = new Float64Array(count)
  for (let i = 0; i < count; i++) timesMs[i] = startMs + i * stepMs
  return { timesMs, count }
}

/** Returns an upper bound of the number of steps that `alignedSteps` returns. */
export function countAligned(endsMs: Float64Array, rangeMs: number, stepMs: number): number {
  const spanMs = endsMs[endsMs.length - 1] - endsMs[0] + rangeMs
  return Math.min(Math.floor(spanMs / stepMs) + 1, endsMs.length * (Math.floor(rangeMs / stepMs) + 1))
}

/** Returns all multiples of `stepMs` that lie in a window `(end − range, end]`; the ends must ascend. */
export function alignedSteps(endsMs: Float64Array, rangeMs: number, stepMs: number): Steps {
  const times = new Float64Array(countAligned(endsMs, rangeMs, stepMs))
  let count = 0
  let next = -Infinity
  for (const endMs of endsMs) {
    const first = (Math.floor((endMs - rangeMs) / stepMs) + 1) * stepMs
    for (next = Math.max(next, first); next <= endMs; next += stepMs) times[count++] = next
  }
  return { timesMs: times.subarray(0, count), count }
}
