import { expect, test } from 'vitest'
import { seededRandom } from '../../../../src/base/index.ts'
import { roundsTo } from '../../../../src/backends/sql/foreign/conditions/rounding.ts'

const random = seededRandom(5)
const bits = new DataView(new ArrayBuffer(8))

function anyFloat(): number {
  bits.setUint32(0, random.below(2 ** 32))
  bits.setUint32(4, random.below(2 ** 32))
  return bits.getFloat64(0)
}

const floats = [0, -0, 1, -1, 0.1, 500, 2 ** 53, Number.MAX_VALUE, Number.MIN_VALUE, 2 ** -1022, Infinity, -Infinity]
const drawn = Array.from({ length: 300 }, anyFloat).filter((value) => value === value)

/** Appends a digit to a decimal, which makes its absolute value slightly larger. */
const beyond = (text: string): string => `${text}${text.includes('.') ? '' : '.'}0001`

test.each([...floats, ...drawn])('numbers that are read as %s lie between its bounds', (value) => {
  const { min, max, isIncluded } = roundsTo(value)
  const same = (text: string): boolean => Number(text) === value
  for (const end of [min, max]) {
    if (end === undefined) continue
    expect(same(end)).toBe(isIncluded)
    const isOuter = end.startsWith('-') ? end === min : end === max
    // The end that is farther from zero.
    expect(same(beyond(end))).toBe(!isOuter)
  }
  expect(min === undefined).toBe(value === -Infinity)
  expect(max === undefined).toBe(value === Infinity)
})
