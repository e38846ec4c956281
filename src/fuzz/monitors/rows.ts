import { MINUTE_NS } from '../../base/index.ts'
import type { Random } from '../../base/index.ts'
import { Instant, type StoredRow } from '../../data/index.ts'
import { fuzzData, type FuzzData } from '../dataset.ts'

/** Time of the first round of all monitors, milliseconds since 1970; a multiple of every interval that is drawn. */
export const START_MS = Date.UTC(2026, 0, 2, 3, 0, 0)

export const START_NS = BigInt(START_MS) * 1_000_000n

/** Length of the data before and after the first round, minutes. */
const BEFORE_MINUTES = 6
const AFTER_MINUTES = 12

/** Draws an instant: at the boundary of a minute, one nanosecond before or after it, or anywhere. */
function timeNs(random: Random): bigint {
  const minute = BigInt(random.below(BEFORE_MINUTES + AFTER_MINUTES) - BEFORE_MINUTES)
  const within = random.pick([0n, 1n, MINUTE_NS - 1n, MINUTE_NS / 2n, undefined, undefined, undefined])
  return START_NS + minute * MINUTE_NS + (within ?? BigInt(Math.floor(random.next() * Number(MINUTE_NS))))
}

/** Draws the rows of one block of cases, with times around the rounds of monitors. Some minutes have no row. */
export function monitorData(random: Random, minRows: number): FuzzData {
  const data = fuzzData(random, minRows)
  const emptyMinutes = new Set(Array.from({ length: random.below(8) }, () => BigInt(random.below(AFTER_MINUTES))))
  const rows = data.rows.flatMap((stored): StoredRow[] => {
    const drawnNs = timeNs(random)
    if (emptyMinutes.has((drawnNs - START_NS) / MINUTE_NS)) return []
    return [{ ...stored, timeNs: drawnNs, row: new Map([...stored.row, ['_time', new Instant(drawnNs)]]) }]
  })
  const seals = data.seals.map((end) => Math.min(end, rows.length))
  return { ...data, rows: rows.map((row, sequence) => ({ ...row, sequence })), baseNs: START_NS, seals }
}
