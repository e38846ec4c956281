import { DAY_NS, MS_NS, QUARTER_NS, SECOND_NS } from './units.ts'
import { IANAZone } from 'luxon'
import { civilFromDays, daysFromCivil } from './instant.ts'

const QUARTER_MS = Number(QUARTER_NS / MS_NS)
const MAX_CACHED = 100_000

interface Zone {
  readonly zone: IANAZone
  /** UTC offsets in nanoseconds by quarter of an hour, for quarters without a clock change. */
  readonly offsets: Map<number, bigint>
}

const zones = new Map<string, Zone>()

/** Returns whether the name is a zone of the IANA database (`Europe/Berlin`, `UTC`). */
export function isKnownZone(name: string): boolean {
  return zones.has(name) || IANAZone.isValidZone(name)
}

function zoneNamed(name: string): Zone {
  let zone = zones.get(name)
  if (zone === undefined) {
    zone = { zone: IANAZone.create(name), offsets: new Map() }
    zones.set(name, zone)
  }
  return zone
}

/** Returns the nanoseconds by which local clocks are ahead of UTC at an instant. The zone must be known. */
export function zoneOffsetNs(name: string, ns: bigint): bigint {
  const zone = zoneNamed(name)
  const ms = Number(floorTo(ns, 1_000_000n) / 1_000_000n)
  const quarter = Math.floor(ms / QUARTER_MS)
  const known = zone.offsets.get(quarter)
  if (known !== undefined) return known
  const first = offsetAt(zone, quarter * QUARTER_MS)
  if (first !== offsetAt(zone, (quarter + 1) * QUARTER_MS - 1)) return offsetAt(zone, ms)
  if (zone.offsets.size >= MAX_CACHED) zone.offsets.clear()
  zone.offsets.set(quarter, first)
  return first
}

/**
 * Returns the UTC offset at an instant, to the second: before time zones, offsets were local mean times such as
 * +00:53:28.
 */
function offsetAt({ zone }: Zone, ms: number): bigint {
  return BigInt(Math.round(zone.offset(ms) * 60)) * SECOND_NS
}

function floorTo(ns: bigint, width: bigint): bigint {
  const rest = ns % width
  return rest < 0n ? ns - rest - width : ns - rest
}

/**
 * Returns the latest instant not after `ns` at which local clocks show `localNs`. If a clock change skips this local
 * time, returns the instant of the change.
 */
function instantOfLocal(name: string, localNs: bigint, ns: bigint): bigint {
  const offsets = new Set([zoneOffsetNs(name, ns)])
  for (const hours of [-24n, -3n, 0n, 3n, 24n]) {
    offsets.add(zoneOffsetNs(name, localNs + hours * 3_600_000_000_000n))
  }
  let best: bigint | undefined
  for (const offset of offsets) {
    const candidate = localNs - offset
    if (candidate > ns || zoneOffsetNs(name, candidate) !== offset) continue
    if (best === undefined || candidate > best) best = candidate
  }
  return best ?? jumpOver(name, localNs, ns)
}

/**
 * Returns the first and last instant at which local clocks show `localNs`. The two differ if clocks are put back over
 * this time. If a clock change skips the time, both are the instant of the change. The zone must be known.
 */
export function instantsOfLocal(zone: string, localNs: bigint): { readonly first: bigint; readonly last: bigint } {
  const last = instantOfLocal(zone, localNs, localNs + 2n * DAY_NS)
  const before = instantOfLocal(zone, localNs, last - 1n)
  // The same local time can only recur within a day.
  return { first: last - before < DAY_NS && before + zoneOffsetNs(zone, before) === localNs ? before : last, last }
}

/** Returns the instant (a whole second, not after `ns`) of the clock change that skips the local time `localNs`. */
function jumpOver(name: string, localNs: bigint, ns: bigint): bigint {
  let before = floorTo(localNs, SECOND_NS) - 2n * DAY_NS
  let after = floorTo(ns, SECOND_NS)
  while (after - before > SECOND_NS) {
    const middle = floorTo((before + after) / 2n, SECOND_NS)
    if (middle + zoneOffsetNs(name, middle) >= localNs) after = middle
    else before = middle
  }
  return after
}

/** Rounds an instant down in the local time of a zone; `floorLocal` does the rounding. */
function floorIn(zone: string | undefined, ns: bigint, floorLocal: (localNs: bigint) => bigint): bigint {
  if (zone === undefined) return floorLocal(ns)
  const localNs = ns + zoneOffsetNs(zone, ns)
  return instantOfLocal(zone, floorLocal(localNs), ns)
}

/** Rounds down to a multiple of the width since 1970-01-01T00:00, in UTC or in the local time of a zone. */
export function floorToWidth(ns: bigint, widthNs: bigint, zone: string | undefined): bigint {
  return floorIn(zone, ns, (localNs) => floorTo(localNs, widthNs))
}

export type CalendarUnit = 'week' | 'month' | 'year'

function floorLocalUnit(localNs: bigint, unit: CalendarUnit): bigint {
  const days = Number(floorTo(localNs, DAY_NS) / DAY_NS)
  if (unit === 'week') return BigInt(days - ((((days + 3) % 7) + 7) % 7)) * DAY_NS
  const { year, month } = civilFromDays(days)
  return BigInt(daysFromCivil(year, unit === 'year' ? 1 : month, 1)) * DAY_NS
}

/**
 * Returns the start of the calendar unit of an instant, in UTC or in the local time of a zone; weeks start on Monday.
 */
export function floorToUnit(ns: bigint, unit: CalendarUnit, zone: string | undefined): bigint {
  return floorIn(zone, ns, (localNs) => floorLocalUnit(localNs, unit))
}
