// @module-tag slow
import { expect, test } from 'vitest'
import { parseRfc3339, present, seededRandom } from '../../../../src/base/index.ts'
import { periodsOf, type Period } from '../../../../src/backends/sql/foreign/periods.ts'
import { Instant, bucketValue, type Bucket } from '../../../../src/data/index.ts'

type TimeBucket = Bucket & { readonly kind: 'time' | 'calendar' }

const at = (text: string): bigint => present(parseRfc3339(text))
const HOUR_NS = 3_600_000_000_000n
const DAY_NS = 24n * HOUR_NS
const year = { startNs: at('2026-01-01T00:00:00.5Z'), endNs: at('2027-01-01T00:00:00Z') }

function floorIn(periods: readonly Period[], ns: bigint): bigint | undefined {
  return periods.findLast(({ fromNs }) => fromNs <= ns)?.floorNs
}

const units = ['week', 'month', 'year'] as const
const zones = [
  undefined,
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Scoresbysund',
  'Asia/Kathmandu',
]
const buckets: readonly TimeBucket[] = [
  ...zones.flatMap((zone) => units.map((unit): TimeBucket => ({ kind: 'calendar', unit, offsetNs: 0n, zone }))),
  ...zones.map((zone): TimeBucket => ({ kind: 'calendar', unit: 'month', offsetNs: 5n * HOUR_NS + 1n, zone })),
  ...zones.slice(1).map((zone): TimeBucket => ({ kind: 'time', widthNs: DAY_NS, offsetNs: 0n, zone })),
  ...zones.slice(1).map((zone): TimeBucket => ({ kind: 'time', widthNs: 2n * DAY_NS, offsetNs: -HOUR_NS, zone })),
]

test.each(buckets)('a year of $kind $unit $widthNs $zone with $offsetNs is what times are floored to', (bucket) => {
  const periods = present(periodsOf(bucket, year))
  const random = seededRandom(7)
  const edges = periods.flatMap(({ fromNs }) => [fromNs - 1n, fromNs, fromNs + 1n])
  const drawn = Array.from({ length: 2000 }, () => year.startNs + BigInt(random.below(365 * 86_400)) * 1_000_000_000n)
  for (const ns of [...edges, ...drawn, year.endNs - 1n]) {
    if (ns < year.startNs || ns >= year.endNs) continue
    expect(new Instant(floorIn(periods, ns) ?? 0n)).toEqual(bucketValue(new Instant(ns), bucket))
  }
})

test('hours of a day on which clocks change', () => {
  const bucket: TimeBucket = { kind: 'time', widthNs: 2n * HOUR_NS, offsetNs: 0n, zone: 'Australia/Lord_Howe' }
  for (const day of ['2026-04-04', '2026-10-03']) {
    const range = { startNs: at(`${day}T03:00:00Z`), endNs: at(`${day}T23:00:00Z`) }
    const periods = present(periodsOf(bucket, range))
    expect(periods.length).toBeGreaterThan(9)
    for (let ns = range.startNs; ns < range.endNs; ns += HOUR_NS / 6n) {
      expect(new Instant(floorIn(periods, ns) ?? 0n)).toEqual(bucketValue(new Instant(ns), bucket))
    }
  }
})

test('a list that would make the statement too long is left out', () => {
  const bucket: TimeBucket = { kind: 'time', widthNs: HOUR_NS, offsetNs: 0n, zone: 'Europe/Berlin' }
  expect(periodsOf(bucket, year)).toBeUndefined()
  const century = { startNs: at('1920-01-01T00:00:00Z'), endNs: at('2020-01-01T00:00:00Z') }
  expect(periodsOf({ kind: 'calendar', unit: 'year', offsetNs: 0n, zone: 'Europe/Berlin' }, century)).toBeUndefined()
  expect(periodsOf({ kind: 'calendar', unit: 'year', offsetNs: 0n, zone: undefined }, century)).toHaveLength(100)
})
