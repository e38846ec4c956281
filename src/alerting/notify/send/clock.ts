/** Time and timers, as the runner and senders take them; tests drive them by hand. */
export interface SendClock {
  nowMs(): number
  /** Runs once after a delay in ms; the result cancels it. */
  schedule(delayMs: number, run: () => void): () => void
}

/** Longest time of one attempt in ms (ruling M58). */
export const ATTEMPT_MS = 10_000

/** Ends work that takes longer than `ATTEMPT_MS`: aborts its signal. */
export async function withDeadline<T>(clock: SendClock, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const cancel = clock.schedule(ATTEMPT_MS, () => controller.abort())
  try {
    return await work(controller.signal)
  } finally {
    cancel()
  }
}
