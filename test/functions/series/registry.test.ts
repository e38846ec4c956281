import { expect, test } from 'vitest'
import { seriesAggregations, seriesFunctions } from '../../../src/functions/series/index.ts'
import { xxHash64 } from '../../../src/functions/series/aggregations/xx-hash.ts'
import { compareNaturally } from '../../../src/functions/series/sorting.ts'
import { aggregationSignatures, seriesSignatures } from '../../../src/plan/series/index.ts'

/** Done by the backend, since they look at the samples behind a selector. */
const BY_THE_BACKEND = ['timestamp', 'start_timestamp', 'info']

test('every function of the signature table has an implementation, and none has no signature', () => {
  expect([...seriesFunctions.keys(), ...BY_THE_BACKEND].sort()).toEqual([...seriesSignatures.keys()].sort())
})

test('every aggregation of the table has an implementation', () => {
  expect([...seriesAggregations.keys()].sort()).toEqual([...aggregationSignatures.keys()].sort())
})

test.each([
  ['', 'ef46db3751d8e999'],
  ['abc', '44bc2cf5ad770999'],
  ['Nobody inspects the spammish repetition', 'fbcea83c8a378bf1'],
])('the 64-bit hash of %j', (text, hash) => {
  expect(xxHash64(new TextEncoder().encode(text)).toString(16)).toBe(hash)
})

test('natural order counts runs of digits as numbers', () => {
  const names = ['a10', 'a2', 'b', 'a', 'a2b', 'a02']
  expect(names.toSorted(compareNaturally)).toEqual(['a', 'a2', 'a2b', 'a02', 'a10', 'b'])
})
