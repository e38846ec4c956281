import { expect, test } from 'vitest'
import { aggregationSignatures, argumentCount, seriesSignatures } from '../../../src/plan/index.ts'

test('the inventory: 90 functions, 17 of them experimental; 14 aggregations, 2 of them', () => {
  const functions = [...seriesSignatures.values()]
  const aggregations = [...aggregationSignatures.values()]
  expect([functions.length, functions.filter((s) => s.isExperimental).length]).toEqual([90, 17])
  expect([aggregations.length, aggregations.filter((s) => s.isExperimental).length]).toEqual([14, 2])
})

test('argumentCount returns the minimum and maximum number of arguments', () => {
  const count = (name: string): readonly number[] => Object.values(argumentCount(seriesSignatures.get(name)!))
  expect(count('rate')).toEqual([1, 1])
  expect(count('round')).toEqual([1, 2])
  expect(count('hour')).toEqual([0, 1])
  expect(count('label_join')).toEqual([3, Infinity])
  expect(count('histogram_quantiles')).toEqual([3, 12])
})
