import { describe, expect, test } from 'vitest'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { Instant, recordHash, rowOf, type StoredRow } from '../../../src/data/index.ts'
import { createEngine, type Engine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'

const ROWS = 150_000

/** Yields rows in which every third record repeats the one before it. */
function* rows(): Generator<StoredRow> {
  for (let sequence = 0; sequence < ROWS; sequence++) {
    const i = sequence % 3 === 2 ? sequence - 1 : sequence
    const timeNs = 1_767_322_801_000_000_000n + BigInt(i)
    yield {
      timeNs,
      sequence,
      row: rowOf([
        ['_time', new Instant(timeNs)],
        ['status', i],
      ]),
    }
  }
}

function engineOf(limits = {}): Engine {
  const store = createMemoryStore(standardCatalog)
  store.table('logs').writer.appendRows(rows())
  return createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off', limits })
}

const engine = engineOf()
const smallestFirst = [...rows()]
  .map(({ row }) => ({ hash: recordHash(row), status: Number(row.get('status')) }))
  .toSorted((a, b) => a.hash - b.hash)

async function statuses(text: string, from = engine): Promise<number[]> {
  const answer = await from.query(`${text} | fields status`).toArray()
  return answer.map((row) => Number(row['status'])).toSorted((a, b) => a - b)
}

describe('rows of the smallest hashes', () => {
  test.each([0, 1, 10, 1_000, 40_000, ROWS - 1, ROWS])('%i of them', async (n) => {
    const wanted = smallestFirst.slice(0, n).map(({ status }) => status)
    expect(await statuses(`* | sample ${n} rows`)).toEqual(wanted.toSorted((a, b) => a - b))
  })

  test('a few of many rows need little memory, and come in the order of the input', async () => {
    const result = engine.query('* | sample 20 rows')
    const answer = await result.toArray()
    const times = answer.map((row) => JSON.stringify(row['_time']))
    expect(times).toEqual(times.toSorted().toReversed())
    expect(result.statistics().peakMemoryBytes).toBeLessThan(6_000_000)
  })

  test('each row that is held counts with its hash and its place', async () => {
    const result = engine.query(`* | sample ${ROWS} rows | stats count() n`)
    await result.toArray()
    // Per row: time and status take 16 bytes, the hash 8 and the position 4.
    expect(result.statistics().peakMemoryBytes).toBeGreaterThanOrEqual(ROWS * 28)
  })
})

test('one in so many, and equal records alike', async () => {
  const wanted = smallestFirst.filter(({ hash }) => hash % 100 === 0).map(({ status }) => status)
  const found = await statuses('* | sample 100')
  expect(found).toEqual(wanted.toSorted((a, b) => a - b))
  expect(Math.abs(found.length - ROWS / 100)).toBeLessThan(200)
  expect(found.filter((status) => status % 3 === 1).length % 2).toBe(0)
  // Fields that the query adds or drops do not change the sample.
  expect(await statuses('* | math status * 2 as twice | fields status | sample 100')).toEqual(found)
})
