import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../../src/base/index.ts'
import { MOST_POINTS, pointText } from '../../../../src/backends/columnar/kernels/point-text.ts'
import { floatText, secondsText } from '../../../../src/backends/columnar/series/number-text.ts'

const TIME_MS = 1_767_225_600_123

/** Returns the JSON text of one point per value, each with a different time. */
function written(values: readonly number[], timesMs = values.map((_, i) => TIME_MS + i * 1237)): readonly string[] {
  const { count, text } = pointText(Float64Array.from(timesMs), Float64Array.from(values), 0)
  const points = new TextDecoder().decode(text).split(/(?<=\]),/)
  expect(points).toHaveLength(count)
  return points.map((point) => point.replace(/^,/, ''))
}

function expected(values: readonly number[], timesMs = values.map((_, i) => TIME_MS + i * 1237)): readonly string[] {
  return values.map((value, i) => `[${secondsText(timesMs[i] ?? 0)},"${floatText(value)}"]`)
}

const draws = seededRandom(5)
const random = (): number => draws.next()
const bits = new DataView(new ArrayBuffer(8))

/** Draws a double with random bits whose absolute value lies between 10^-6 and 10^21. */
function anyDouble(): number {
  for (;;) {
    bits.setUint32(0, ((1002 + Math.floor(random() * 92)) << 20) + Math.floor(random() * 2 ** 20))
    bits.setUint32(4, Math.floor(random() * 2 ** 32))
    const value = bits.getFloat64(0)
    if (value >= 1e-6 && value < 1e21) return random() < 0.5 ? -value : value
  }
}

describe('the text of points', () => {
  test.each<[what: string, draw: (i: number) => number]>([
    ['any doubles', anyDouble],
    ['whole numbers of any length', () => Math.floor(random() * 10 ** Math.floor(random() * 21))],
    ['cents', () => Math.round(random() * 1e6) / 100],
    ['short decimals, small ones too', () => (1 + Math.floor(random() * 999)) / 10 ** (3 + Math.floor(random() * 4))],
    ['powers of two, whose lower neighbour is nearer', (i) => 2 ** ((i % 88) - 19)],
    ['powers of ten and what is next to them', (i) => 10 ** ((i % 26) - 5) * (1 + ((i % 7) - 3) * 2 ** -52)],
    ['halves between decimals', () => (Math.floor(random() * 2 ** 52) + 0.5) / 2 ** Math.floor(random() * 12)],
  ])('%s have the digits that they are read back from', (_, draw) => {
    for (let round = 0; round < 40; round++) {
      const values = Array.from({ length: MOST_POINTS }, (__, i) => draw(i))
      expect(written(values)).toEqual(expected(values))
    }
  })

  test('the ends of what it writes', () => {
    const values = [0, 1e-6, -1e-6, 1e21 - 2 ** 17, 2 ** 53, 2 ** 53 - 1, 2 ** 53 + 2, 5e-6, 0.1, -0.3, 1 / 3]
    expect(written(values)).toEqual(expected(values))
  })

  test.each([NaN, Infinity, -Infinity, -0, 1e21, 9.99e-7, Number.MIN_VALUE, Number.MAX_VALUE])(
    '%s has another form: the points before it are written',
    (value) => {
      expect(written([1.5, value, 2])).toEqual(expected([1.5]))
    },
  )

  test('thousandths of seconds have three digits', () => {
    const timesMs = [0, 1, 10, 100, 1000, 1500, 99_999_999_999, 100_000_000_000_000, 2 ** 53 - 1]
    const values = timesMs.map((_, i) => i)
    expect(written(values, timesMs)).toEqual(expected(values, timesMs))
    expect(written([1, 2], [5, -1])).toEqual(expected([1], [5]))
  })

  test('goes on from any place, for so many points at most', () => {
    const values = Float64Array.from({ length: MOST_POINTS + 10 }, (_, i) => i)
    const timesMs = values.map((i) => i * 1000)
    expect(pointText(timesMs, values, 0).count).toBe(MOST_POINTS)
    const { count, text } = pointText(timesMs, values, MOST_POINTS + 8)
    expect(count).toBe(2)
    expect(new TextDecoder().decode(text)).toBe(',[1032,"1032"],[1033,"1033"]')
  })
})
