import { parseUnixTime } from '../../base/index.ts'

/** 2001-09-09T01:46:40Z in nanoseconds, the first time whose seconds since 1970 have ten digits. */
export const MIN_EPOCH_NS = 10n ** 18n

/**
 * Parses a Unix time. The number of digits before the point, 10, 13, 16 or 19, determines the unit: seconds,
 * milliseconds, microseconds or nanoseconds. Digits below a nanosecond are cut. Smaller numbers are `undefined`: they
 * are more likely counts, ports, ids or durations.
 */
export function epochNs(digits: string): bigint | undefined {
  const ns = parseUnixTime(digits)?.ns
  return ns === undefined || ns < MIN_EPOCH_NS ? undefined : ns
}
