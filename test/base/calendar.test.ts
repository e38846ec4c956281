import { describe, expect, test } from 'vitest'
import {
  floorToUnit,
  floorToWidth,
  formatRfc3339,
  instantsOfLocal,
  isKnownZone,
  parseRfc3339,
  zoneOffsetNs,
} from '../../src/base/index.ts'

const at = (text: string): bigint => parseRfc3339(text) ?? 0n
const HOUR = 3_600_000_000_000n

describe('zones', () => {
  test.each([
    ['UTC', true],
    ['Europe/Berlin', true],
    ['Asia/Kathmandu', true],
    ['Nowhere/Town', false],
    ['', false],
  ])('%j is known: %s', (name, isKnown) => {
    expect(isKnownZone(name)).toBe(isKnown)
  })

  test.each([
    ['Europe/Berlin', '2026-01-15T00:00:00Z', 1],
    ['Europe/Berlin', '2026-07-15T00:00:00Z', 2],
    ['Europe/Berlin', '2026-03-29T00:59:59.999999999Z', 1],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', 2],
    ['Asia/Kathmandu', '2026-01-01T00:00:00Z', 5.75],
    ['America/New_York', '1965-07-01T00:00:00Z', -4],
    // Offsets of local mean time with seconds, and the last nanosecond before a transition.
    ['Europe/Berlin', '1890-01-01T00:00:00Z', 53 / 60 + 28 / 3600],
    ['Africa/Monrovia', '1972-01-07T00:44:29Z', -2670 / 3600],
    ['Africa/Monrovia', '1972-01-07T00:44:30Z', 0],
    // The transition is one minute past midnight.
    ['America/St_Johns', '2005-10-30T02:30:59Z', -2.5],
    ['America/St_Johns', '2005-10-30T02:31:00Z', -3.5],
    ['America/New_York', '1969-04-27T06:59:59.999999999Z', -5],
    ['America/New_York', '1969-04-27T07:00:00Z', -4],
  ])('%s at %s', (zone, text, hours) => {
    expect(zoneOffsetNs(zone, at(text))).toBe(BigInt(Math.round(hours * 3600)) * 1_000_000_000n)
  })
})

describe('floors', () => {
  test('every instant of a year lies in its bucket, and buckets do not go back', () => {
    for (const zone of ['Europe/Berlin', 'America/Sao_Paulo', 'Asia/Kathmandu', undefined]) {
      let last = -(2n ** 62n)
      for (let ns = at('2018-01-01T00:17:03Z'); ns < at('2019-01-01T00:00:00Z'); ns += 7n * HOUR) {
        const day = floorToWidth(ns, 24n * HOUR, zone)
        expect(day <= ns && ns - day <= 25n * HOUR && day >= last, `${zone} ${formatRfc3339(ns)}`).toBe(true)
        // The start of a bucket belongs to that bucket.
        expect(floorToWidth(day, 24n * HOUR, zone)).toBe(day)
        last = day
        const month = floorToUnit(ns, 'month', zone)
        expect(month <= day && floorToUnit(month, 'month', zone) === month).toBe(true)
      }
    }
  })
})

describe('instants of a wall time', () => {
  test.each([
    ['shown once', 'Europe/Berlin', '2026-07-01T12:00:00Z', '2026-07-01T10:00:00Z', '2026-07-01T10:00:00Z'],
    ['shown twice', 'Europe/Berlin', '2026-10-25T02:30:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'],
    ['skipped', 'Europe/Berlin', '2026-03-29T02:30:00Z', '2026-03-29T01:00:00Z', '2026-03-29T01:00:00Z'],
    [
      'the first of a day that is put back',
      'Europe/Berlin',
      '2026-10-25T00:00:00Z',
      '2026-10-24T22:00:00Z',
      '2026-10-24T22:00:00Z',
    ],
    ['at an offset', '+05:30', '2026-01-01T00:00:00Z', '2025-12-31T18:30:00Z', '2025-12-31T18:30:00Z'],
  ])('%s', (_, zone, local, first, last) => {
    const found = instantsOfLocal(zone, at(local))
    expect([formatRfc3339(found.first, true), formatRfc3339(found.last, true)]).toEqual([first, last])
  })
})
