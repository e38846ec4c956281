import { parseRfc3339, parseUnixTime, unixTimeNs } from '../../base/index.ts'
import { Instant, type Value } from '../value.ts'
import type { TimeContext } from './time-context.ts'

/** The time that a value of a time field stands for, in nanoseconds since the epoch; `undefined` when it is not one. */
export function readTime(value: Value, _context: TimeContext): bigint | undefined {
  if (value instanceof Instant) return value.ns
  if (typeof value === 'bigint') return unixTimeNs(value)
  if (typeof value === 'number') return Number.isFinite(value) ? unixTimeNs(value) : undefined
  return typeof value === 'string' ? (parseRfc3339(value) ?? parseUnixTime(value)?.ns) : undefined
}
