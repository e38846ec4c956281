import { expect, test } from 'vitest'
import { Frame } from '../../../src/backends/columnar/frame.ts'
import { again, type Operator } from '../../../src/backends/columnar/operator.ts'
import { SharedRows } from '../../../src/backends/columnar/shared-rows.ts'
import { Budget } from '../../../src/base/index.ts'
import { columnOfValues, valueAt } from '../../../src/data/index.ts'

/**
 * Returns a source of `count` rows in frames of seven; each string takes 124 bytes. Counts the frames that were made.
 */
function source(count: number) {
  const made = { frames: 0 }
  const open = (): Operator => {
    let next = 0
    let isAgain = false
    return {
      pull(want) {
        isAgain = !isAgain
        if (isAgain) return again
        if (next === count) return undefined
        const from = next
        next = Math.min(count, next + Math.min(want, 7))
        made.frames++
        const texts = Array.from({ length: next - from }, (_, i) => String(from + i).padStart(50, '0'))
        return new Frame(texts.length, new Map([['n', columnOfValues(texts)]]))
      },
    }
  }
  return { made, open }
}

function budgetOf(memoryBytes: number): Budget {
  return new Budget({ memoryBytes, timeoutMs: 60_000, scanRows: 1e9 }, () => 0)
}

/** Pulls one frame and returns its rows, or `undefined` at the end. */
function pull(reader: Operator, want: number): readonly number[] | undefined {
  for (;;) {
    const frame = reader.pull(want)
    if (frame === again) continue
    if (frame === undefined) return undefined
    const column = frame.column('n')
    return Array.from({ length: frame.rowCount }, (_, row) => Number(valueAt(column, row)))
  }
}

function rest(reader: Operator, want: number): readonly number[] {
  const rows: number[] = []
  for (;;) {
    const some = pull(reader, want)
    if (some === undefined) return rows
    expect(some.length).toBeLessThanOrEqual(want)
    rows.push(...some)
  }
}

function numbers(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
}

test('readers one after the other and in turns have all rows, which are made once and then let go', () => {
  const budget = budgetOf(2 ** 20)
  const { made, open } = source(50)
  const shared = new SharedRows(open(), open, 3, budget)
  const [a, b, c] = [shared.reader(), shared.reader(), shared.reader()]
  expect(pull(a, 5)).toEqual(numbers(0, 5))
  expect(pull(b, 3)).toEqual(numbers(0, 3))
  expect(pull(b, 9)).toEqual(numbers(3, 5))
  expect(rest(a, 9)).toEqual(numbers(5, 50))
  expect(rest(b, 2)).toEqual(numbers(5, 50))
  expect(budget.usedBytes).toBeGreaterThan(50 * 124)
  expect(rest(c, 100)).toEqual(numbers(0, 50))
  expect(made.frames).toBe(8)
  expect(budget.usedBytes).toBe(0)
})

test('those who fall too far behind make the rows again, from where they were', () => {
  const budget = budgetOf(8 * 3000)
  const { made, open } = source(50)
  const shared = new SharedRows(open(), open, 2, budget)
  const [ahead, behind] = [shared.reader(), shared.reader()]
  expect(pull(behind, 7)).toEqual(numbers(0, 7))
  expect(pull(behind, 7)).toEqual(numbers(7, 14))
  expect(rest(ahead, 7)).toEqual(numbers(0, 50))
  expect(budget.peakBytes).toBeLessThan(4500)
  expect(rest(behind, 7)).toEqual(numbers(14, 50))
  expect(made.frames).toBe(16)
  expect(budget.usedBytes).toBe(0)
})
