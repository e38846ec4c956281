/** Short tasks run so often at most: code that is compiled while it runs is compiled by then. */
export const MOST_RUNS = 1000

/**
 * Median milliseconds of a warm task: it runs until the time budget is used, which lets its code be compiled, and is then timed for as
 * long again; at least three runs each, at most `MOST_RUNS`. One run alone counts where it takes more than four times the budget.
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

/** Geometric mean of (peer + 0.1 ms) / (own + 0.1 ms). */
export function composite(own: readonly number[], peer: readonly number[]): number {
  const logs = own.map((ms, i) => Math.log((peer[i] + 0.1) / (ms + 0.1)))
  return Math.exp(logs.reduce((sum, value) => sum + value, 0) / logs.length)
}

/** Times under a millisecond count as equal: how often our time goes into the peer's. */
export function ratio(ownMs: number, peerMs: number): number {
  return Math.max(peerMs, 1) / Math.max(ownMs, 1)
}

/** Times below count as equal where a single question is judged. */
export const EQUAL_BELOW_MS = 0.3

/** How many times the peer's time ours is. */
export function timesPeer(ownMs: number, peerMs: number): number {
  return Math.max(ownMs, EQUAL_BELOW_MS) / Math.max(peerMs, EQUAL_BELOW_MS)
}
