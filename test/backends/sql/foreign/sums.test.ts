import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, test } from 'vitest'
import { assemble } from '../../../../src/backends/sql/foreign/assembled.ts'
import {
  exactSums,
  firstSums,
  sumsOfManyRows,
  UnsureSum,
  type SumMode,
} from '../../../../src/backends/sql/foreign/sums.ts'
import type { ForeignValue } from '../../../../src/backends/sql/foreign/engine.ts'
import { seededRandom, type Random } from '../../../../src/base/index.ts'
import { nearestFloat, scaledFloat, type Value } from '../../../../src/data/index.ts'

const UNIT_BITS = 1100

/** Sum or mean, added up as integers and rounded once. */
function exactly(kind: 'sum' | 'mean', numbers: readonly number[]): number {
  const total = numbers
    .map(scaledFloat)
    .reduce((sum, { mantissa, exponent }) => sum + (mantissa << BigInt(exponent + UNIT_BITS)), 0n)
  return nearestFloat(total, (kind === 'mean' ? BigInt(numbers.length) : 1n) << BigInt(UNIT_BITS))
}

/** Kinds of columns that are summed somewhere, and some that nobody sums. */
const draws: Readonly<Record<string, (random: Random) => number>> = {
  milliseconds: (random) => Math.round(Math.exp(8 * random.next()) * 1000) / 1000,
  seconds: (random) => random.next() / 100,
  bytes: (random) => Math.floor(random.next() * 1e9),
  quarters: (random) => Math.floor(random.next() * 1000) / 4,
  signed: (random) => random.next() - 0.5,
  huge: (random) => random.next() * 2 ** 200,
  tiny: (random) => random.next() * 2 ** -300,
  mixed: (random) => (random.next() - 0.5) * 10 ** Math.floor(random.next() * 40 - 20),
  'all the same': () => 0.1,
  zeros: (random) => (random.next() < 0.5 ? 0 : -0),
}

const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
const connection = await instance.connect()

/** The columns of one group, as the statement of the mode gives them. */
async function closeColumns(numbers: readonly number[], fractionBits: number): Promise<readonly ForeignValue[]> {
  const by = `CAST(${1.5 * 2 ** (52 - fractionBits)} AS DOUBLE)`
  const list = numbers.map((number) => `('${Object.is(number, -0) ? '-0' : number}'::DOUBLE)`).join(', ')
  const sql = `SELECT count(x), sum(x + ${by} - ${by}), fsum(x - (x + ${by} - ${by})), sum(abs(x)) FROM (VALUES ${list}) v(x)`
  const [row = []] = (await connection.runAndReadAll(sql)).getRows()
  return row as readonly ForeignValue[]
}

/** The same of a database that adds one by one, in an order of its own. */
function plainColumns(numbers: readonly number[], fractionBits: number): readonly ForeignValue[] {
  const by = 1.5 * 2 ** (52 - fractionBits)
  const added = (list: readonly number[]): number => list.toReversed().reduce((sum, each) => sum + each, 0)
  const coarse = numbers.map((each) => each + by - by)
  const fine = numbers.map((each, i) => each - (coarse[i] ?? 0))
  return [BigInt(numbers.length), added(coarse), added(fine), added(numbers.map(Math.abs))]
}

interface Found {
  readonly value: Value | undefined
  readonly tries: number
}

/** What the reader comes to without the mode that always gives the sum; `undefined` when it asks for that one. */
async function found(kind: 'sum' | 'mean', numbers: readonly number[], isPlain = false): Promise<Found> {
  let mode: SumMode = firstSums
  for (let tries = 1; mode.kind === 'close'; tries++) {
    const { fractionBits } = mode
    const row = isPlain ? plainColumns(numbers, fractionBits) : await closeColumns(numbers, fractionBits)
    const columns = row.map((value) => [value])
    try {
      const [value] = assemble({ kind, how: 'close', fractionBits, isPlain }, columns, 1)
      return { value, tries }
    } catch (error) {
      if (!(error instanceof UnsureSum)) throw error
      mode = error.next
    }
  }
  return { value: undefined, tries: 0 }
}

describe('close sums are exact, or say that they are not sure', () => {
  test.each(Object.entries(draws))('of %s', async (name, draw) => {
    const random = seededRandom(name.length)
    let sure = 0
    for (let i = 0; i < 12; i++) {
      const numbers = Array.from({ length: 1 + Math.floor(random.next() * 100) }, () => draw(random))
      for (const kind of ['sum', 'mean'] as const) {
        for (const isPlain of [false, true]) {
          const { value } = await found(kind, numbers, isPlain)
          if (value === undefined) continue
          sure++
          expect(value).toBe(exactly(kind, numbers))
        }
      }
    }
    if (name !== 'mixed' && name !== 'huge') expect(sure).toBeGreaterThan(40)
  })

  test('ordinary columns need one look, others a second with a better cut', async () => {
    expect(await found('mean', [12.345, 0.001, 700.25])).toMatchObject({ tries: 1 })
    expect(await found('mean', [1e12, 2e12, 3.5e12])).toEqual({ value: 6.5e12 / 3, tries: 2 })
    expect(await found('sum', [1e-9, 2.5e-9, 7e-9])).toMatchObject({ tries: 2 })
  })

  test.each([
    ['an infinity', [1, Infinity]],
    ['no number', [1, NaN]],
    ['integers beyond 2^53', [2 ** 53, 2 ** 53]],
    ['what cancels out', [1e300, 1, -1e300]],
    ['nothing left', [0.5, -0.5]],
  ])('%s is left to the mode that always gives the sum', async (_, numbers) => {
    expect(await found('sum', numbers)).toEqual({ value: undefined, tries: 0 })
  })

  test('an error that reaches the next float is seen', () => {
    const columns = [[2], [2 ** 20], [2 ** -33], [2 ** 20]]
    expect(() => assemble({ kind: 'sum', how: 'close', fractionBits: 24 }, columns, 1)).toThrow(UnsureSum)
    expect(exactSums).toEqual({ kind: 'parts' })
  })

  test('what is added one by one is off by more, the more rows there are', () => {
    const columns = (rows: number): ForeignValue[][] => [[rows], [2 ** 20], [2 ** -30], [2 ** 20]]
    const value = (rows: number, isPlain: boolean): readonly Value[] =>
      assemble({ kind: 'sum', how: 'close', fractionBits: 24, isPlain }, columns(rows), 1)
    expect(value(1000, true)).toEqual(value(1000, false))
    expect(value(2 ** 23, false)).toEqual(value(1000, false))
    expect(() => value(2 ** 23, true)).toThrow(UnsureSum)
    expect(() => value(2 ** 23 + 1, true)).toThrow(UnsureSum)
    const asked = (): unknown => value(2 ** 23 + 1, true)
    expect(asked).toThrow(expect.objectContaining({ next: sumsOfManyRows }))
  })
})
