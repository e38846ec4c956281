import { civilFromDays, DAY_NS, daysFromCivil, SECOND_NS } from '../../base/index.ts'

function daysOf(ns: bigint): number {
  const days = ns / DAY_NS
  return Number(ns % DAY_NS < 0n ? days - 1n : days)
}

/** Returns a function that maps a time to its position within the day, in units of `unitNs`, modulo `count`. */
function ofDay(unitNs: bigint, count: bigint): (ns: bigint) => number {
  return (ns) => Number(((((ns % DAY_NS) + DAY_NS) % DAY_NS) / unitNs) % count)
}

/** Returns the weekday of a day number: 1 for Monday to 7 for Sunday. Day 0 was a Thursday. */
function weekday(days: number): number {
  return ((((days + 3) % 7) + 7) % 7) + 1
}

/** Returns the ISO 8601 week number; a week belongs to the year of its Thursday. */
function isoWeek(ns: bigint): number {
  const days = daysOf(ns)
  const thursday = days - weekday(days) + 4
  const firstDay = daysFromCivil(civilFromDays(thursday).year, 1, 1)
  return Math.floor((thursday - firstDay) / 7) + 1
}

/** Functions that return a part of a time in UTC as an integer, by name. */
export const dateParts: ReadonlyMap<string, (ns: bigint) => number> = new Map([
  ['year', (ns: bigint) => civilFromDays(daysOf(ns)).year],
  ['quarter', (ns: bigint) => Math.floor((civilFromDays(daysOf(ns)).month - 1) / 3) + 1],
  ['month', (ns: bigint) => civilFromDays(daysOf(ns)).month],
  ['week', isoWeek],
  ['day', (ns: bigint) => civilFromDays(daysOf(ns)).day],
  ['day_of_week', (ns: bigint) => weekday(daysOf(ns))],
  ['day_of_year', (ns: bigint) => daysOf(ns) - daysFromCivil(civilFromDays(daysOf(ns)).year, 1, 1) + 1],
  ['hour', ofDay(3600n * SECOND_NS, 24n)],
  ['minute', ofDay(60n * SECOND_NS, 60n)],
  ['second', ofDay(SECOND_NS, 60n)],
  ['millisecond', ofDay(1_000_000n, 1000n)],
])

/** Returns the function for a part of a time. Case and spelling are ignored: `dayOfWeek` is `day_of_week`. */
export function datePart(name: string): ((ns: bigint) => number) | undefined {
  return dateParts.get(name) ?? dateParts.get(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase())
}
