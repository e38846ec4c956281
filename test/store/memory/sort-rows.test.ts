import { describe, expect, test } from 'vitest'
import { present, seededRandom } from '../../../src/base/index.ts'
import { sortedRows } from '../../../src/store/memory/sort-rows.ts'

function expected(deltas: Float64Array, from: number): number[] {
  return Array.from({ length: deltas.length - from }, (_, i) => from + i).sort(
    (a, b) => present(deltas[a]) - present(deltas[b]) || a - b,
  )
}

describe('rows by time', () => {
  const random = seededRandom(7)
  const count = 5000
  test.each([
    ['nearly in order', (i: number) => i * 10 + Math.floor(random.next() * 50)],
    ['with ties', (i: number) => Math.floor(i / 7) + Math.floor(random.next() * 3)],
    ['far from order', () => Math.floor(random.next() * 2 ** 50)],
    ['backwards', (i: number) => (count - i) * 1e9],
    ['one late row', (i: number) => (i === count - 1 ? 0 : i)],
  ])('%s', (_, time) => {
    const deltas = Float64Array.from({ length: count }, (__, i) => time(i))
    const sequences = Float64Array.from({ length: count }, (__, i) => i)
    for (const from of [0, 1234]) {
      expect([...(sortedRows(deltas, sequences, from, count) ?? [])]).toEqual(expected(deltas, from))
    }
  })
})
