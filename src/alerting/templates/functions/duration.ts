import { MAX_INT64 } from '../../../base/index.ts'
import { ExpansionFault } from '../faults.ts'

const UNITS = ['y', 'w', 'd', 'h', 'm', 's', 'ms']
const MS_OF_UNIT = [31_536_000_000n, 604_800_000n, 86_400_000n, 3_600_000n, 60_000n, 1000n, 1n]
const DURATION = new RegExp(`^${UNITS.map((unit) => `(?:(\\d+)${unit})?`).join('')}$`)
const NS_PER_MS = 1_000_000n

/** Returns the seconds of a duration of Prometheus, such as `1h30m` or `0`. Throws ExpansionFault for other texts. */
export function durationSeconds(text: string): number {
  if (text === '0') return 0
  const match = text === '' ? null : DURATION.exec(text)
  if (match === null) {
    throw new ExpansionFault(
      `${JSON.stringify(text)} is not a duration; write one as 1h30m, from the largest unit to the smallest`,
    )
  }
  const totalMs = MS_OF_UNIT.reduce((sum, unitMs, i) => sum + BigInt(match[i + 1] ?? 0) * unitMs, 0n)
  if (totalMs * NS_PER_MS > MAX_INT64) throw new ExpansionFault(`the duration ${text} is longer than 292 years`)
  return Number(totalMs) / 1000
}
