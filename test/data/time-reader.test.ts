import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  Instant,
  TimeReader,
  columnOfValues,
  createBitmap,
  setBit,
  valueAt,
  type Column,
} from '../../src/data/index.ts'

/** Returns the times of a column as the reader decodes them; `null` for a row without one. */
function timesRead(column: Column): readonly (bigint | null)[] {
  const reader = new TimeReader(column)
  return Array.from({ length: column.length }, (_, row) => {
    if (!reader.read(row)) return null
    expect(reader.restNs).toBeGreaterThanOrEqual(0)
    expect(reader.restNs).toBeLessThan(1_000_000)
    return BigInt(reader.ms) * 1_000_000n + BigInt(reader.restNs)
  })
}

function timesOf(column: Column): readonly (bigint | null)[] {
  return Array.from({ length: column.length }, (_, row) => {
    const value = valueAt(column, row)
    return value instanceof Instant ? value.ns : null
  })
}

const instants = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

describe('times as numbers are those of the column', () => {
  test('stored as distances', () => {
    const deltas = fc.array(fc.tuple(fc.maxSafeNat(), fc.boolean()), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(instants, deltas, (baseNs, given) => {
        const validity = createBitmap(given.length)
        for (const [row, [, isThere]] of given.entries()) if (isThere) setBit(validity, row)
        const stored = { kind: 'time', length: given.length, baseNs } as const
        const distances = Float64Array.from(given, ([delta]) => delta)
        const whole: Column = { ...stored, deltas: distances, validity: undefined }
        const rows = Uint32Array.from(given.keys()).toReversed()
        for (const column of [whole, { ...whole, validity }]) {
          expect(timesRead(column)).toEqual(timesOf(column))
          const gathered: Column = { kind: 'gathered', length: rows.length, source: column, rows }
          expect(timesRead(gathered)).toEqual(timesOf(gathered))
        }
      }),
    )
  })

  test('stored as values, some of them no times', () => {
    const values = fc.array(
      fc.oneof(
        instants.map((ns) => new Instant(ns)),
        fc.constantFrom(null, 'text', 7),
      ),
    )
    fc.assert(
      fc.property(values, (given) => {
        const column = columnOfValues(given)
        expect(timesRead(column)).toEqual(timesOf(column))
      }),
    )
  })
})
