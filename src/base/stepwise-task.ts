import { TURN_MS } from './tuning.ts'
import { nextTurn } from './turn.ts'

/** A computation in steps: at each `yield` its runner may run other work. */
export type StepwiseTask<T> = Generator<undefined, T>

/** Returns a task that yields nothing and returns a known value. */
// oxlint-disable-next-line eslint/require-yield -- it takes no turn
export function* doneTask<T>(value: T): StepwiseTask<T> {
  return value
}

/** Runs a task to its end without pauses. Only for short tasks. */
export function runToEnd<T>(task: StepwiseTask<T>): T {
  for (;;) {
    const next = task.next()
    if (next.done === true) return next.value
  }
}

/**
 * Runs a task until the signal is aborted. Then the signal's reason is thrown inside the task, so that its `finally`
 * blocks run.
 */
export function* untilAborted<T>(task: StepwiseTask<T>, signal: AbortSignal | undefined): StepwiseTask<T> {
  for (;;) {
    const next = signal?.aborted === true ? task.throw(signal.reason) : task.next()
    if (next.done === true) return next.value
    yield
  }
}

/** Returns the same task with fewer yields: it yields only after it has run for `sliceMs`. */
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

/** Runs a task to its end; lets the event loop run every `sliceMs`. */
export async function runCooperatively<T>(task: StepwiseTask<T>, sliceMs?: number): Promise<T> {
  const slices = inSlices(task, sliceMs)
  for (;;) {
    const next = slices.next()
    if (next.done === true) return next.value
    await nextTurn()
  }
}

/**
 * Yields the same items; lets the event loop run between two items every `sliceMs`, so that timers and signals are
 * handled.
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
