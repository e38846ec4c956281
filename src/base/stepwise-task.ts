import { TURN_MS } from './tuning.ts'
import { nextTurn } from './turn.ts'

/** A calculation in pieces: at each `yield` its runner may let others run. */
export type StepwiseTask<T> = Generator<undefined, T>

/** Wraps a known value as a calculation. */
// oxlint-disable-next-line eslint/require-yield -- it takes no turn
export function* doneTask<T>(value: T): StepwiseTask<T> {
  return value
}

/** Runs a calculation to its end without pauses, for short ones. */
export function runToEnd<T>(task: StepwiseTask<T>): T {
  for (;;) {
    const next = task.next()
    if (next.done === true) return next.value
  }
}

/**
 * Runs a calculation; once the signal is aborted, its reason is thrown inside, so that the calculation closes what it
 * has open.
 */
export function* untilAborted<T>(task: StepwiseTask<T>, signal: AbortSignal | undefined): StepwiseTask<T> {
  for (;;) {
    const next = signal?.aborted === true ? task.throw(signal.reason) : task.next()
    if (next.done === true) return next.value
    yield
  }
}

/** Returns the same calculation, which yields only after it has run for `sliceMs`. */
function* inSlices<T>(task: StepwiseTask<T>, sliceMs = TURN_MS): StepwiseTask<T> {
  let sinceMs = performance.now()
  for (;;) {
    const next = task.next()
    if (next.done === true) return next.value
    if (performance.now() - sinceMs < sliceMs) continue
    yield
    sinceMs = performance.now()
  }
}

/** Runs a calculation to its end and lets the event loop run after every `sliceMs`. */
export async function runCooperatively<T>(task: StepwiseTask<T>, sliceMs?: number): Promise<T> {
  const slices = inSlices(task, sliceMs)
  for (;;) {
    const next = slices.next()
    if (next.done === true) return next.value
    await nextTurn()
  }
}

/**
 * Yields the same items and lets the event loop run between two of them after every `sliceMs`, so that timers and
 * signals work.
 */
export async function* betweenTurns<T>(items: Iterable<T> | AsyncIterable<T>, sliceMs = TURN_MS): AsyncGenerator<T> {
  let sinceMs = performance.now()
  for await (const item of items) {
    yield item
    if (performance.now() - sinceMs < sliceMs) continue
    await nextTurn()
    sinceMs = performance.now()
  }
}
