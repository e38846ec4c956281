import { describe, expect, test } from 'vitest'
import { kinds } from '../../src/fuzz/fixes/index.ts'
import { measure, ratesOf } from './measure.ts'

/** Minimum rates, rounded down from the current ones. Raise them when the engine improves. */
const floor = { near: 0.96, mended: 0.8 }
/** Kinds of mistakes whose first fix must almost always be right. */
const sure = ['misspelt pipe', 'misspelt function', 'missing parentheses of by', 'misplaced and/or', 'unknown escape']

describe('mistakes in good queries', () => {
  const outcomes = measure(7, 10)

  test('of every kind the same number', () => {
    expect(kinds.size).toBe(12)
    for (const kind of kinds.keys()) expect(outcomes.filter(({ fault }) => fault.kind === kind)).toHaveLength(10)
    expect(outcomes.every(({ fault }) => fault.text !== fault.original)).toBe(true)
  })

  test('are reported where they are', () => {
    expect(ratesOf(outcomes).near).toBeGreaterThanOrEqual(floor.near)
  })

  test('are mended by the first fix', () => {
    expect(ratesOf(outcomes).mended).toBeGreaterThanOrEqual(floor.mended)
  })

  test.each(sure)('%s', (kind) => {
    expect(ratesOf(outcomes.filter(({ fault }) => fault.kind === kind)).mended).toBeGreaterThanOrEqual(0.8)
  })

  test('the same seed makes the same mistakes', () => {
    const texts = (seed: number): readonly string[] => measure(seed, 1).map(({ fault }) => fault.text)
    expect(texts(3)).toEqual(texts(3))
    expect(texts(3)).not.toEqual(texts(4))
  })
})
