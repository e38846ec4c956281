import type { Steps } from '../../../functions/series/index.ts'

/** `startMs`, `startMs + stepMs`, … up to `endMs`; one step when the step is 0. */
export function stepsOf(startMs: number, endMs: number, stepMs: number): Steps {
  const count = stepMs === 0 ? 1 : Math.floor((endMs - startMs) / stepMs) + 1
  const timesMs = new Float64Array(count)
  for (let i = 0; i < count; i++) timesMs[i] = startMs + i * stepMs
  return { timesMs, count }
}

/** Multiples of the step in any of the windows `(end − range, end]`; the ends ascend. */
export function alignedSteps(endsMs: Float64Array, rangeMs: number, stepMs: number): Steps {
  const times: number[] = []
  let next = -Infinity
  for (const endMs of endsMs) {
    const first = (Math.floor((endMs - rangeMs) / stepMs) + 1) * stepMs
    for (next = Math.max(next, first); next <= endMs; next += stepMs) times.push(next)
  }
  return { timesMs: Float64Array.from(times), count: times.length }
}
