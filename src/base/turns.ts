import { TURN_MS } from './tuning.ts'
import { nextTurn } from './turn.ts'

/** A calculation in pieces: at each `yield` whoever runs it may let others have a turn. */
export type Turns<T> = Generator<undefined, T>

/** What is known already. */
// oxlint-disable-next-line eslint/require-yield -- it takes no turn
export function* noTurns<T>(value: T): Turns<T> {
  return value
}

/** Without turns, for calculations that are known to be short. */
export function atOnce<T>(turns: Turns<T>): T {
  for (;;) {
    const next = turns.next()
    if (next.done === true) return next.value
  }
}

/** Once the signal is aborted, throws its reason where the calculation stands, which so closes what it has open. */
export function* untilAborted<T>(turns: Turns<T>, signal: AbortSignal | undefined): Turns<T> {
  for (;;) {
    const next = signal?.aborted === true ? turns.throw(signal.reason) : turns.next()
    if (next.done === true) return next.value
    yield
  }
}

/** The same calculation with a turn only where it has gone on for `sliceMs` since the last one. */
function* inSlices<T>(turns: Turns<T>, sliceMs = TURN_MS): Turns<T> {
  let sinceMs = performance.now()
  for (;;) {
    const next = turns.next()
    if (next.done === true) return next.value
    if (performance.now() - sinceMs < sliceMs) continue
    yield
    sinceMs = performance.now()
  }
}

/** Runs to the end, and lets the event loop run whenever it has been held for `sliceMs`. */
export async function inTurns<T>(turns: Turns<T>, sliceMs?: number): Promise<T> {
  const slices = inSlices(turns, sliceMs)
  for (;;) {
    const next = slices.next()
    if (next.done === true) return next.value
    await nextTurn()
  }
}

/** The same items; the event loop runs between two of them whenever it has been held for `sliceMs`, so that timers and signals act. */
export async function* betweenTurns<T>(items: Iterable<T> | AsyncIterable<T>, sliceMs = TURN_MS): AsyncGenerator<T> {
  let sinceMs = performance.now()
  for await (const item of items) {
    yield item
    if (performance.now() - sinceMs < sliceMs) continue
    await nextTurn()
    sinceMs = performance.now()
  }
}
