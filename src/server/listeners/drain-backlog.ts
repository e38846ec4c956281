import { setImmediate, setTimeout } from 'node:timers/promises'

/** Size of the accept queue of a port; Node's default, stated here. */
export const BACKLOG = 511

/** Time for requests in transit, which closing at once would reset, ms; nothing relies on it. */
export const LINGER_MS = 100

/**
 * Number of event loop turns without a new connection: the first may have begun after its poll, the second accepts
 * waiting ones, the third reads their data.
 */
const QUIET_TURNS = 3

/**
 * Resolves when no more connections wait to be accepted, by the counter `count`. A turn of the event loop accepts one
 * for each port, so a time limit would be no measure: on a busy machine turns are long.
 */
export async function untilTaken(count: () => number): Promise<void> {
  let seen = count()
  for (let turns = 0, quiet = 0; quiet < QUIET_TURNS && turns < BACKLOG + QUIET_TURNS; turns++) {
    await setImmediate()
    const now = count()
    quiet = now === seen ? quiet + 1 : 0
    seen = now
  }
}

/** Pause after which senders at the end count as finished, ms; the total wait is a small multiple. */
export const LAST_QUIET_MS = 50
export const LAST_PAUSES = 20

/**
 * Resolves when nothing arrived for a while, by the counter `count`. Counts pauses rather than time: a late timer on a
 * busy machine runs before the data that the system has meanwhile.
 */
export async function untilPaused(count: () => number): Promise<void> {
  for (let pauses = 0, seen = -1; seen !== count() && pauses < LAST_PAUSES; pauses++) {
    seen = count()
    await setTimeout(LAST_QUIET_MS)
    await setImmediate()
  }
}
