import { expect, test } from 'vitest'
import { bucketTimes } from '../../../../src/backends/columnar/expr/bucket-times.ts'
import { bucketValue, valueAt, type Bucket, type TimeColumn } from '../../../../src/data/index.ts'

const SECOND_NS = 1_000_000_000n
const DAY_NS = 86_400n * SECOND_NS

function timesFrom(baseNs: bigint): TimeColumn {
  const deltas = Float64Array.from({ length: 50 }, (_, row) => (row * 86_371_000_000_007) % 2 ** 52)
  return { kind: 'time', length: deltas.length, baseNs, deltas, validity: undefined }
}

test.each<[bigint, bigint, bigint]>([
  [1_772_323_200n * SECOND_NS, DAY_NS, 0n],
  [1_772_323_200n * SECOND_NS, 7n * DAY_NS, 2n * 3600n * SECOND_NS],
  [1_772_323_200n * SECOND_NS + 17n, 333n, -5n],
  [-(1n << 52n), 3600n * SECOND_NS, 1n],
  [-3n * (1n << 52n), 2n ** 51n, DAY_NS],
])('times from %d on fall into buckets of %d as single values do', (baseNs, widthNs, offsetNs) => {
  const bucket: Bucket = { kind: 'time', widthNs, offsetNs, zone: undefined }
  const column = timesFrom(baseNs)
  const found = bucketTimes(column, bucket)
  expect(found).toBeDefined()
  for (let row = 0; row < column.length; row++)
    expect(found && valueAt(found, row)).toEqual(bucketValue(valueAt(column, row), bucket))
})

test('zones, calendar units and widths that do not add up exactly are left to single values', () => {
  const column = timesFrom(0n)
  expect(bucketTimes(column, { kind: 'time', widthNs: DAY_NS, offsetNs: 0n, zone: 'Europe/Rome' })).toBeUndefined()
  expect(bucketTimes(column, { kind: 'time', widthNs: 2n ** 52n, offsetNs: 0n, zone: undefined })).toBeUndefined()
  expect(bucketTimes(column, { kind: 'calendar', unit: 'week', offsetNs: 0n, zone: undefined })).toBeUndefined()
})
