import { setImmediate, setTimeout } from 'node:timers/promises'

/** Length of the accept queue of a port; Node's default. */
export const BACKLOG = 511

/** Pause before a port is closed, ms, so that connections in transit are not reset. The exact value does not matter. */
export const LINGER_MS = 100

/**
 * Number of event loop iterations without a new connection after which the accept queue is empty. The first iteration
 * may have begun before the last poll, the second accepts waiting connections, the third reads their data.
 */
const QUIET_TURNS = 3

/**
 * Resolves when the accept queue is empty; `count` returns the number of accepted connections. Counts iterations of the
 * event loop, each of which accepts one connection for each port. A time limit would not be reliable, because
 * iterations are long on a busy machine.
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

/**
 * Pause without a message after which senders are considered finished, ms. `LAST_PAUSES` is the maximum number of
 * pauses.
 */
export const LAST_QUIET_MS = 50
export const LAST_PAUSES = 20

/**
 * Resolves when no message has arrived during a pause; `count` returns the number of messages. The pauses end with a
 * turn of the event loop: on a busy machine, a late timer may fire before data that has already arrived is read.
 */
export async function untilPaused(count: () => number): Promise<void> {
  for (let pauses = 0, seen = -1; seen !== count() && pauses < LAST_PAUSES; pauses++) {
    seen = count()
    await setTimeout(LAST_QUIET_MS)
    await setImmediate()
  }
}
