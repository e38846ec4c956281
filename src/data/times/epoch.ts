import { parseUnixTime } from '../../base/index.ts'

/** 2001-09-09T01:46:40Z in nanoseconds, since when seconds have ten digits. */
export const MIN_EPOCH_NS = 10n ** 18n

/**
 * Parses seconds, milliseconds, microseconds or nanoseconds since 1970, distinguished by their digits; digits below a
 * nanosecond are cut. The part before the point has 10, 13, 16 or 19 digits, from 2001-09-09 on; smaller numbers are
 * counts, ports, ids or durations.
 */
export function epochNs(digits: string): bigint | undefined {
  const ns = parseUnixTime(digits)?.ns
  return ns === undefined || ns < MIN_EPOCH_NS ? undefined : ns
}
