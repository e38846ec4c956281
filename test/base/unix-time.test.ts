import { describe, expect, test } from 'vitest'
import { clampNs, parseUnixTime, seededRandom, unixTimeNs } from '../../src/base/index.ts'

/** Reference implementation with integers in units of 10^-18 s. It tries each unit. */
function nsByTrying(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  for (const factor of [1_000_000_000n, 1_000_000n, 1_000n, 1n]) {
    if (BigInt(whole) * factor > 9_223_372_036_854_775_807n && factor > 1n) continue
    const attos = BigInt(whole + fraction.slice(0, 18).padEnd(18, '0')) * factor
    const ns = attos / 10n ** 18n
    return clampNs(text.startsWith('-') ? -ns : ns)
  }
  return 0n
}

describe('Unix times', () => {
  test.each<[string, bigint, bigint]>([
    ['0', 0n, 1_000_000_000n],
    ['1562529662', 1562529662_000_000_000n, 1_000_000_000n],
    ['1562529662.678', 1562529662_678_000_000n, 1_000_000n],
    ['1562529662.123456789', 1562529662_123_456_789n, 1n],
    ['1562529662.1234567899', 1562529662_123_456_789n, 1n],
    ['1562529662678', 1562529662_678_000_000n, 1_000_000n],
    ['1562529662678.5', 1562529662_678_500_000n, 100_000n],
    ['1562529662678901', 1562529662_678_901_000n, 1_000n],
    ['1562529662678901.25', 1562529662_678_901_250n, 10n],
    ['1562529662678901234', 1562529662_678_901_234n, 1n],
    ['1562529662678901234.9', 1562529662_678_901_234n, 1n],
    // 9223372036 is the largest number that is read as seconds. If its fraction exceeds the largest time, the result is
    // the largest time.
    ['9223372036', 9223372036_000_000_000n, 1_000_000_000n],
    ['9223372036.854775807', 9223372036_854_775_807n, 1n],
    ['9223372036.9', 9223372036_854_775_807n, 100_000_000n],
    ['9223372037', 9223372037_000_000n, 1_000_000n],
    ['9223372036854', 9223372036854_000_000n, 1_000_000n],
    ['9223372036855', 9223372036855_000n, 1_000n],
    ['9223372036854775', 9223372036854775_000n, 1_000n],
    ['9223372036854776', 9223372036854776n, 1n],
    ['9223372036854775807', 9223372036854775807n, 1n],
    ['-1.5', -1_500_000_000n, 100_000_000n],
    ['-0.5', -500_000_000n, 100_000_000n],
    ['-9223372036854775808', -9223372036854775808n, 1n],
    ['1.562529662678e9', 1562529662_678_000_000n, 1_000_000n],
    ['1.562529662E+9', 1562529662_000_000_000n, 1_000_000_000n],
    ['15e8', 1500000000_000_000_000n, 1_000_000_000n],
    ['5.', 5_000_000_000n, 1_000_000_000n],
  ])('%s', (text, ns, precisionNs) => {
    expect(parseUnixTime(text)).toEqual({ ns, precisionNs })
  })

  test.each(['', '-', 'x', '1_000', '+5', '.5', '1e-3', '0x10', ' 5', '9223372036854775809', '1e30', '1.2.3', '5s'])(
    '%j is none',
    (text) => {
      expect(parseUnixTime(text)).toBeUndefined()
    },
  )

  test('of numbers by the digits that they print', () => {
    expect(unixTimeNs(1562529662.678)).toBe(1562529662_678_000_000n)
    expect(unixTimeNs(1562529662678.5)).toBe(1562529662_678_500_000n)
    expect(unixTimeNs(-1.25)).toBe(-1_250_000_000n)
    expect(unixTimeNs(1e-7)).toBe(100n)
    expect(unixTimeNs(1562529662678901234n)).toBe(1562529662678901234n)
    expect(unixTimeNs(1e300)).toBe(9223372036854775807n)
    expect(unixTimeNs(-(10n ** 30n))).toBe(-9223372036854775808n)
  })

  test('random digits, read in another way', () => {
    const random = seededRandom(39)
    for (let i = 0; i < 5000; i++) {
      const digits = (most: number): string =>
        Array.from({ length: 1 + random.below(most) }, () => String(random.below(10))).join('')
      const sign = random.next() < 0.2 ? '-' : ''
      const text = `${sign}${digits(18)}${random.next() < 0.6 ? `.${digits(12)}` : ''}`
      expect(parseUnixTime(text)?.ns, text).toBe(nsByTrying(text))
    }
  })
})
