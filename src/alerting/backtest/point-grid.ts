/**
 * Points that a query needs in each round: `count` points at intervals of `stepMs`, the newest `lastMs` after the
 * round, all in ms. A point of a log query covers the step before it.
 */
export interface PointGrid {
  readonly lastMs: number
  readonly stepMs: number
  readonly count: number
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}

/**
 * Returns the number of range queries ("passes"), each with points `stepMs` apart, that together cover the points of
 * all rounds.
 */
export function passesOf({ stepMs }: PointGrid, intervalMs: number): number {
  return stepMs / divisor(stepMs, intervalMs)
}

/**
 * True if passes are cheaper than a query for each round: they read no rows between the windows of rounds, and there
 * are fewer passes than rounds.
 */
export function isWorthwhile(grid: PointGrid, intervalMs: number, rounds: number): boolean {
  const { lastMs, stepMs, count } = grid
  if (count < 1 || stepMs < 1 || ![lastMs, stepMs, count, intervalMs].every(Number.isInteger)) return false
  return intervalMs <= divisor(stepMs, intervalMs) * count && passesOf(grid, intervalMs) < rounds
}

/** First and last point of a range query over many rounds, Unix ms. */
export interface Pass {
  readonly firstMs: number
  readonly lastMs: number
}

/** Returns the passes for rounds that are `intervalMs` apart. */
export function* passesOver(grid: PointGrid, roundsMs: readonly number[], intervalMs: number): Generator<Pass> {
  const { lastMs, stepMs, count } = grid
  const passes = passesOf(grid, intervalMs)
  for (const [i, firstMs] of roundsMs.slice(0, passes).entries()) {
    const rounds = Math.floor((roundsMs.length - 1 - i) / passes)
    const newestMs = firstMs + rounds * passes * intervalMs + lastMs
    yield { firstMs: firstMs + lastMs - (count - 1) * stepMs, lastMs: newestMs }
  }
}
