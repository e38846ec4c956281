import { expect, test } from 'vitest'
import { regressions, type BenchResult } from '../../bench/run.ts'

/** Creates a result in which the peer takes 100 ms for each question. */
function resultOf(ownMs: readonly number[]): BenchResult {
  const medians = Object.fromEntries(ownMs.map((own, i) => [`Q${i}`, { columnar: own, duckdb: 100 }]))
  return {
    rows: 1,
    seed: 1,
    node: '',
    threads: 1,
    peerThreads: 1,
    loadSeconds: {},
    bytes: {},
    medians,
    firstMs: {},
    differences: [],
  }
}

const before = resultOf([10, 10, 10, 10])

test('noise of a question is no regression', () => {
  expect(regressions(resultOf([20, 8, 12, 9]), before)).toEqual([])
})

test('a question that is slower by far is one', () => {
  expect(regressions(resultOf([40, 10, 10, 10]), before)).toEqual(['Q0: 10.00x duckdb before, 2.50x now'])
})

test('so is a little of all of them', () => {
  const found = regressions(resultOf([17, 17, 17, 17]), before)
  expect(found).toEqual(['all questions: 1.70 times slower relative to duckdb than before'])
})

test('a machine of half the speed changes nothing', () => {
  const medians = Object.fromEntries(Object.keys(before.medians).map((id) => [id, { columnar: 20, duckdb: 200 }]))
  expect(regressions({ ...before, medians }, before)).toEqual([])
})

test('a baseline of other questions is said', () => {
  expect(regressions({ ...before, medians: { Z: { columnar: 1, duckdb: 1 } } }, before)).toHaveLength(1)
})
