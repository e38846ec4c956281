import { parseUnixTime } from '../../base/index.ts'

/** 2001-09-09T01:46:40Z, when seconds came to have ten digits. */
export const MIN_EPOCH_NS = 10n ** 18n

/**
 * The time of a number of seconds, milliseconds, microseconds or nanoseconds since the epoch, by its digits: exact, with
 * further ones than nanoseconds cut. Numbers of 10, 13, 16 and 19 digits before the point, from 2001-09-09 on: what is smaller
 * is a count, a port, an id or a duration.
 */
export function epochNs(digits: string): bigint | undefined {
  const ns = parseUnixTime(digits)?.ns
  return ns === undefined || ns < MIN_EPOCH_NS ? undefined : ns
}
