import { DAY_SECONDS, MAX_CACHED, isKnownZone, zoneOffsetNs } from '../../base/index.ts'

const OFFSET = /^(?:UTC|GMT)?([+-])(\d{2}):?(\d{2})?$/

/**
 * Returns the seconds by which an offset is ahead of UTC: `+02:00`, `-0700`, `+02`, `GMT+0200` or `Z`; `undefined` for
 * other strings.
 */
export function offsetSecondsOf(text: string): number | undefined {
  if (text === 'Z' || text === 'z' || text === 'UTC' || text === 'GMT') return 0
  const match = OFFSET.exec(text)
  if (match === null) return undefined
  const hours = Number(match[2])
  const minutes = Number(match[3] ?? '0')
  if (hours > 23 || minutes > 59) return undefined
  return (hours * 3600 + minutes * 60) * (match[1] === '-' ? -1 : 1)
}

/** Returns whether a string names a zone: an IANA name or an offset. */
export function isZone(text: string): boolean {
  return offsetSecondsOf(text) !== undefined || isKnownZone(text)
}

/**
 * Zone abbreviations that programs print, with their current offsets in seconds from the IANA database. An abbreviation
 * with several offsets is accepted only if the given zone has one of them at that time.
 */
export const abbreviations: ReadonlyMap<string, readonly number[]> = new Map(
  Object.entries({
    UT: [0],
    WET: [0],
    WEST: [1],
    BST: [1],
    CET: [1],
    CEST: [2],
    EET: [2],
    EEST: [3],
    MSK: [3],
    CAT: [2],
    EAT: [3],
    WAT: [1],
    SAST: [2],
    PKT: [5],
    WIB: [7],
    HKT: [8],
    JST: [9],
    KST: [9],
    AWST: [8],
    ACST: [9.5],
    ACDT: [10.5],
    AEST: [10],
    AEDT: [11],
    NZST: [12],
    NZDT: [13],
    HST: [-10],
    AKST: [-9],
    AKDT: [-8],
    PST: [-8, 8],
    PDT: [-7],
    MST: [-7],
    MDT: [-6],
    CST: [-6, -5, 8],
    CDT: [-5, -4],
    EST: [-5],
    EDT: [-4],
    AST: [-4],
    ADT: [-3],
    NST: [-3.5],
    NDT: [-2.5],
    IST: [5.5, 2, 1],
  }).map(([name, hours]) => [name, hours.map((each) => each * 3600)]),
)

const UNSURE = new RegExp(
  `\\b(?:${Array.from(abbreviations)
    .flatMap(([name, offsets]) => (offsets.length > 1 ? [name] : []))
    .join('|')})\\b`,
)

/** Returns the ambiguous zone abbreviation in a time; only a given zone can resolve it. */
export function unsureZone(time: string): string | undefined {
  return UNSURE.exec(time)?.[0]
}

/**
 * Offsets of one zone by local calendar day; `null` for days with a change of the offset on that day or a neighbouring
 * one.
 */
const daysByZone = new Map<string, Map<number, number | null>>()

/** Returns the seconds by which a zone or an offset is ahead of UTC at an instant (seconds since 1970). */
export function zoneOffsetAt(zone: string, seconds: number): number {
  return offsetSecondsOf(zone) ?? offsetAt(zone, seconds)
}

function offsetAt(zone: string, seconds: number): number {
  return Number(zoneOffsetNs(zone, BigInt(seconds) * 1_000_000_000n) / 1_000_000_000n)
}

/**
 * Returns the seconds by which a zone is ahead of UTC when its clocks show `localSeconds` since 1970-01-01T00:00. For a
 * local time that occurs twice, the first one is used. For a local time that is skipped, the offset before the change
 * is used, so that the result is later by the skipped time.
 */
function zoneOffset(zone: string, localSeconds: number): number {
  const day = Math.floor(localSeconds / DAY_SECONDS)
  let days = daysByZone.get(zone)
  if (days === undefined) daysByZone.set(zone, (days = new Map()))
  let known = days.get(day)
  if (known === undefined) {
    const first = offsetAt(zone, (day - 1) * DAY_SECONDS)
    known = first === offsetAt(zone, (day + 2) * DAY_SECONDS) ? first : null
    if (days.size >= MAX_CACHED) days.clear()
    days.set(day, known)
  }
  if (known !== null) return known
  const before = offsetAt(zone, localSeconds - DAY_SECONDS)
  const after = offsetAt(zone, localSeconds + DAY_SECONDS)
  const isBefore = offsetAt(zone, localSeconds - before) === before
  return isBefore || offsetAt(zone, localSeconds - after) !== after ? before : after
}

/**
 * Like `zoneOffset`, for a zone that the user states: an IANA name or an offset; UTC if missing. `undefined` for an
 * unknown zone.
 */
export function localOffset(zone: string | undefined, localSeconds: number): number | undefined {
  if (zone === undefined) return 0
  const fixed = offsetSecondsOf(zone)
  if (fixed !== undefined) return fixed
  return daysByZone.has(zone) || isKnownZone(zone) ? zoneOffset(zone, localSeconds) : undefined
}

/**
 * Like `zoneOffset`, for the zone that a time states. `given`, the zone of times that state none, resolves an ambiguous
 * abbreviation; without `given` the result of an ambiguous one is `undefined`.
 */
export function writtenOffset(text: string, given: string | undefined, localSeconds: number): number | undefined {
  const offsets = abbreviations.get(text)
  if (offsets === undefined) return localOffset(text, localSeconds)
  if (offsets.length === 1) return offsets[0]
  if (given === undefined) return undefined
  const there = localOffset(given, localSeconds)
  return there !== undefined && offsets.includes(there) ? there : undefined
}
