/**
 * Times of the points that one query needs in each round: `count` of them, `stepMs` apart, the newest `lastMs` after the
 * round. A point of a log query covers the step before it. Milliseconds.
 */
export interface PointGrid {
  readonly lastMs: number
  readonly stepMs: number
  readonly count: number
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}

/** Number of queries, each with points `stepMs` apart, that have the points of all rounds. */
export function passesOf({ stepMs }: PointGrid, intervalMs: number): number {
  return stepMs / divisor(stepMs, intervalMs)
}

/**
 * Whether the passes over some rounds read no more than one query for each round. Both read every row of a window as
 * often as windows of rounds contain it, unless the passes also read between the windows; and there are fewer passes
 * than rounds.
 */
export function isWorthwhile(grid: PointGrid, intervalMs: number, rounds: number): boolean {
  const { lastMs, stepMs, count } = grid
  if (count < 1 || stepMs < 1 || ![lastMs, stepMs, count, intervalMs].every(Number.isInteger)) return false
  return intervalMs <= divisor(stepMs, intervalMs) * count && passesOf(grid, intervalMs) < rounds
}

/** First and last point of a pass, in milliseconds since 1970. */
export interface Pass {
  readonly firstMs: number
  readonly lastMs: number
}

/** Returns the passes over rounds that are `intervalMs` apart. */
export function* passesOver(grid: PointGrid, roundsMs: readonly number[], intervalMs: number): Generator<Pass> {
  const { lastMs, stepMs, count } = grid
  const passes = passesOf(grid, intervalMs)
  for (const [i, firstMs] of roundsMs.slice(0, passes).entries()) {
    const rounds = Math.floor((roundsMs.length - 1 - i) / passes)
    const newestMs = firstMs + rounds * passes * intervalMs + lastMs
    yield { firstMs: firstMs + lastMs - (count - 1) * stepMs, lastMs: newestMs }
  }
}
