import { setImmediate, setTimeout } from 'node:timers/promises'

/** Connections that the system holds for a port until they are taken; one more is not let in. Node's own choice, said here. */
export const BACKLOG = 511

/** Requests whose bytes are on their way would be reset by closing at once: a kindness to their senders, nothing rests on it. */
export const LINGER_MS = 100

/** The first may have begun behind its poll; the second takes what waits; the third reads what came on that. */
const QUIET_TURNS = 3

/**
 * Resolves when the system has no more connections that wait to be taken, as far as `count` of those that were taken tells. A turn
 * of the event loop takes one of each port, so a time, however long, is no measure of it: on a busy machine turns are long.
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

/** Senders that still write at the end are read until they pause for so long, and for so many times as long at most. */
export const LAST_QUIET_MS = 50
export const LAST_PAUSES = 20

/**
 * Resolves when nothing came for a while, as far as `count` of what was read tells. Pauses are counted and not time: a timer that
 * comes late on a busy machine comes before what the system has meanwhile, which a turn of the event loop reads.
 */
export async function untilPaused(count: () => number): Promise<void> {
  for (let pauses = 0, seen = -1; seen !== count() && pauses < LAST_PAUSES; pauses++) {
    seen = count()
    await setTimeout(LAST_QUIET_MS)
    await setImmediate()
  }
}
