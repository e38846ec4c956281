import { DateTime } from 'luxon'
import { describe, expect, test } from 'vitest'
import { formatRfc3339, seededRandom } from '../../../src/base/index.ts'
import { leadingTime, readTime } from '../../../src/data/index.ts'

const nowNs = 1_767_225_600_000_000_000n

function read(text: string, zone?: string): string | undefined {
  const ns = readTime(text, { nowNs, zone })
  return ns === undefined ? undefined : formatRfc3339(ns, true)
}

describe('the zone of times that name none', () => {
  test.each([
    ['2006-01-02 15:04:05', undefined, '2006-01-02T15:04:05Z'],
    ['2006-01-02 15:04:05', 'Europe/Berlin', '2006-01-02T14:04:05Z'],
    ['2006-07-02 15:04:05', 'Europe/Berlin', '2006-07-02T13:04:05Z'],
    ['2006-01-02 15:04:05', '+05:30', '2006-01-02T09:34:05Z'],
    ['2006-01-02 15:04:05', '-0700', '2006-01-02T22:04:05Z'],
    ['2006-01-02 15:04:05', '+02', '2006-01-02T13:04:05Z'],
    ['2006-01-02 15:04:05Z', 'Europe/Berlin', '2006-01-02T15:04:05Z'],
    ['2006-01-02 15:04:05 -0700', 'Europe/Berlin', '2006-01-02T22:04:05Z'],
    ['Jan  2 15:04:05', 'Europe/Berlin', '2025-01-02T14:04:05Z'],
    ['1562529662', 'Europe/Berlin', '2019-07-07T20:01:02Z'],
    ['2006-01-02', 'America/New_York', '2006-01-02T05:00:00Z'],
  ])('%s in %s', (text, zone, expected) => {
    expect(read(text, zone)).toBe(expected)
  })

  test('a local time that occurs twice is the first of both', () => {
    expect(read('2025-10-26 02:30:00', 'Europe/Berlin')).toBe('2025-10-26T00:30:00Z')
    expect(read('2025-11-02 01:30:00', 'America/New_York')).toBe('2025-11-02T05:30:00Z')
    expect(read('2025-04-06 01:45:00', 'Australia/Lord_Howe')).toBe('2025-04-05T14:45:00Z')
  })

  test('a local time that is skipped is later by the skipped duration', () => {
    expect(read('2025-03-30 02:30:00', 'Europe/Berlin')).toBe('2025-03-30T01:30:00Z')
    expect(read('2025-03-09 02:00:00', 'America/New_York')).toBe('2025-03-09T07:00:00Z')
    // Samoa skipped this whole day.
    expect(read('2011-12-30 12:00:00', 'Pacific/Apia')).toBe('2011-12-30T22:00:00Z')
  })

  test('an abbreviation that stands for several is read where the zone has one of them', () => {
    expect(read('2006-01-02 15:04:05 CST')).toBeUndefined()
    expect(read('2006-01-02 15:04:05 CST', 'America/Chicago')).toBe('2006-01-02T21:04:05Z')
    expect(read('2006-01-02 15:04:05 CST', 'Asia/Shanghai')).toBe('2006-01-02T07:04:05Z')
    expect(read('2006-01-02 15:04:05 CST', 'Europe/Berlin')).toBeUndefined()
    expect(read('2006-01-02 15:04:05 IST', 'Asia/Kolkata')).toBe('2006-01-02T09:34:05Z')
  })

  test('all local times read back, at every change of clocks of a year and at random', () => {
    const random = seededRandom(18)
    for (const zone of [
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'America/St_Johns',
    ]) {
      for (let i = 0; i < 400; i++) {
        const ms = Date.UTC(
          2000 + random.below(30),
          random.below(12),
          1 + random.below(28),
          random.below(24),
          random.below(60),
        )
        const local = DateTime.fromMillis(ms, { zone })
        const text = local.toFormat('yyyy-MM-dd HH:mm:ss')
        const ns = readTime(text, { nowNs, zone }) ?? 0n
        const back = DateTime.fromMillis(Number(ns / 1_000_000n), { zone })
        expect(back.toFormat('yyyy-MM-dd HH:mm:ss'), `${text} ${zone}`).toBe(text)
        expect(Number(ns / 1_000_000n)).toBeLessThanOrEqual(ms)
      }
    }
  })
})

describe('dates without a year', () => {
  const at = (now: string, text: string) => {
    const ns = leadingTime(text, { nowNs: BigInt(Date.parse(now)) * 1_000_000n })?.ns
    return ns === undefined ? undefined : formatRfc3339(ns, true)
  }

  test.each([
    ['2026-03-01T00:00:00Z', 'Feb 28 23:59:59 x', '2026-02-28T23:59:59Z'],
    ['2026-01-01T00:00:10Z', 'Dec 31 23:59:59 x', '2025-12-31T23:59:59Z'],
    ['2025-12-31T23:59:50Z', 'Jan  1 00:00:05 x', '2026-01-01T00:00:05Z'],
    ['2025-12-30T23:59:50Z', 'Jan  1 00:00:05 x', '2025-01-01T00:00:05Z'],
    ['2026-03-01T00:00:00Z', 'Mar  1 23:59:59 x', '2026-03-01T23:59:59Z'],
    ['2026-03-01T00:00:00Z', 'Feb 29 12:00:00 x', '2024-02-29T12:00:00Z'],
    ['2103-06-01T00:00:00Z', 'Feb 29 12:00:00 x', '2096-02-29T12:00:00Z'],
  ])('now %s: %s', (now, text, expected) => {
    expect(at(now, text)).toBe(expected)
  })
})
