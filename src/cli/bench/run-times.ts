import { present } from '../../base/index.ts'

/** Number of runs before the measured ones; they compile code and fill caches. */
const WARM_UP_RUNS = 3

/** Times of runs, ms. */
export interface RunTimes {
  readonly median: number
  /** 10th percentile of the run times, ms. */
  readonly p10: number
  /** 90th percentile of the run times, ms. */
  readonly p90: number
}

/** Measures a task after warm-up runs; `nowMs` is a monotonic clock. Rejects as the task does. */
export async function timesOf(task: () => Promise<void>, runs: number, nowMs: () => number): Promise<RunTimes> {
  for (let i = 0; i < WARM_UP_RUNS; i++) await task()
  const times: number[] = []
  for (let i = 0; i < runs; i++) {
    const startMs = nowMs()
    await task()
    times.push(nowMs() - startMs)
  }
  times.sort((a, b) => a - b)
  const quantile = (share: number): number => present(times[Math.ceil(share * runs) - 1])
  return { median: quantile(0.5), p10: quantile(0.1), p90: quantile(0.9) }
}
