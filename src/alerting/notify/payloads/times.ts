import { formatRfc3339 } from '../../../base/index.ts'

/** Go's zero time, which Alertmanager uses as the end of a firing alert. */
export const ZERO_TIME = '0001-01-01T00:00:00Z'

/** Formats Unix ms as RFC 3339; fractions of a ms are truncated. */
export function formatMs(ms: number): string {
  return formatRfc3339(BigInt(Math.trunc(ms)) * 1_000_000n, true)
}
