/** Clock and timers of the runner and senders; tests control them. */
export interface SendClock {
  nowMs(): number
  /** Calls `run` once after a delay in ms. The returned function cancels the call. */
  schedule(delayMs: number, run: () => void): () => void
}

/** Maximum duration of an attempt, ms (ruling M58). */
export const ATTEMPT_MS = 10_000

/** Aborts the signal of `work` after `ATTEMPT_MS`. */
export async function withDeadline<T>(clock: SendClock, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const cancel = clock.schedule(ATTEMPT_MS, () => controller.abort())
  try {
    return await work(controller.signal)
  } finally {
    cancel()
  }
}
