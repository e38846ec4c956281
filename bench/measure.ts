/** The most runs of a short task. The compiler has compiled its code well before. */
export const MOST_RUNS = 1000

/**
 * Returns the median milliseconds of a warm task. The task first runs for `budgetMs`, so that its code is compiled, and
 * is then timed for as long again, in 3 to `MOST_RUNS` runs each. A task that takes more than four budgets is timed
 * once.
 */
export async function medianMs(task: () => Promise<unknown>, budgetMs: number): Promise<number> {
  const first = await timesFor(task, budgetMs)
  const times = first.length === 1 ? first : await timesFor(task, budgetMs)
  times.sort((a, b) => a - b)
  return times[Math.floor(times.length / 2)]
}

async function timesFor(task: () => Promise<unknown>, budgetMs: number): Promise<number[]> {
  const times: number[] = []
  let usedMs = 0
  while (times.length < 3 || (usedMs < budgetMs && times.length < MOST_RUNS)) {
    const start = performance.now()
    await task()
    const elapsed = performance.now() - start
    times.push(elapsed)
    usedMs += elapsed
    if (elapsed > 4 * budgetMs) break
  }
  return times
}

/** Returns the geometric mean of (peer + 0.1 ms) / (own + 0.1 ms). */
export function composite(own: readonly number[], peer: readonly number[]): number {
  const logs = own.map((ms, i) => Math.log((peer[i] + 0.1) / (ms + 0.1)))
  return Math.exp(logs.reduce((sum, value) => sum + value, 0) / logs.length)
}

/** Returns the peer's time divided by ours. Times below one millisecond count as one millisecond. */
export function ratio(ownMs: number, peerMs: number): number {
  return Math.max(peerMs, 1) / Math.max(ownMs, 1)
}

/** Times below this many milliseconds count as equal when a single question is judged. */
export const EQUAL_BELOW_MS = 0.3

/** Returns our time divided by the peer's. */
export function timesPeer(ownMs: number, peerMs: number): number {
  return Math.max(ownMs, EQUAL_BELOW_MS) / Math.max(peerMs, EQUAL_BELOW_MS)
}
