import { expect, test } from 'vitest'
import { seriesAggregations, seriesFunctions } from '../../../src/functions/series/index.ts'
import { compareNaturally } from '../../../src/functions/series/sorting.ts'
import { aggregationSignatures, seriesSignatures } from '../../../src/plan/series/index.ts'

test('every function of the signature table has an implementation, and none has no signature', () => {
  // Names with a hyphen cannot be written in PromQL: plans of other languages use them.
  const written = [...seriesFunctions.keys()].filter((name) => !name.includes('-'))
  expect(written.sort()).toEqual([...seriesSignatures.keys()].sort())
})

test('every aggregation of the table has an implementation', () => {
  expect([...seriesAggregations.keys()].sort()).toEqual([...aggregationSignatures.keys()].sort())
})

test('natural order counts runs of digits as numbers', () => {
  const names = ['a10', 'a2', 'b', 'a', 'a2b', 'a02']
  expect(names.toSorted(compareNaturally)).toEqual(['a', 'a2', 'a2b', 'a02', 'a10', 'b'])
})
