import { expect, test } from 'vitest'
import { BlockCache } from '../../../src/store/segments/index.ts'
import { onDisk, rowCounter, sealedTable, type Rows } from './read-all.ts'

const ROWS = 3000
/** Returns a string that is too long for a dictionary to pay off. */
const keyOf = (i: number): string => `${'Key '.repeat(30)}${i}${i % 100 === 0 ? ' Ä' : ''}`

function stored() {
  const rows: Rows = Array.from({ length: ROWS }, (_, i) => [
    BigInt(i),
    i % 10 === 3
      ? [['level', 'info']]
      : [
          ['level', 'info'],
          ['key', keyOf(i)],
        ],
  ])
  const table = sealedTable(rows)
  const cache = new BlockCache(1 << 20)
  const disk = onDisk(table, cache)
  return { cache, count: rowCounter(disk) }
}

test('a look-up of a text that is not there reads no texts', async () => {
  const { cache, count } = stored()
  expect(await count('key:"key nowhere 1"')).toBe(0)
  expect(cache.counts.bytes).toBeLessThan(16_384)
  expect(await count(`key:"${keyOf(100).toUpperCase()}"`)).toBe(1)
  expect(await count(`key:in("nowhere", "${keyOf(17)}")`)).toBe(1)
  expect(await count('key:=""')).toBe(300)
})
