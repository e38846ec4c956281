import { expect, test } from 'vitest'
import { collect } from '../../../src/base/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { rowsBackend } from '../../../src/backends/rows/index.ts'
import { Instant, RowWriter, type StoredRow, type Value } from '../../../src/data/index.ts'
import { createEngine, type Engine, type QueryOptions, readRows } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'

const ROWS = 6000
const stored = Array.from({ length: ROWS }, (_, i): StoredRow => {
  const timeNs = 1_767_268_800_000_000_000n - BigInt(i) * 1_000_000n
  const words = [1, 2, 3].map((k) => `word${(i * 7919 + k * 104_729) % 9973}`)
  const row = new Map<string, Value>([
    ['_time', new Instant(timeNs)],
    ['content', `${words.join(' ')} took=${i % 97} user=u${i % 31}`],
  ])
  return { timeNs, sequence: i, row }
})
const store = createMemoryStore(standardCatalog)
store.table('logs').writer.appendRows(stored)

async function answer(engine: Engine, query: string, options: QueryOptions = {}): Promise<readonly string[]> {
  return (await collect(readRows(engine.query(query, options).batches()))).map((row) =>
    new RowWriter('native').row(row),
  )
}

const columnar = createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })
const model = createEngine({ backends: [rowsBackend(new Map([['logs', stored]]), standardFunctions)], lint: 'off' })
/** Memory limit that the rows would exceed if each stored all 9,000 fields that occur in the free text. */
const limits = { memoryBytes: 64 * 1024 * 1024 }

test.each([
  '* | unpack_logfmt | sort by (took, _time) limit 3',
  '* | unpack_logfmt | sort by (took desc) offset 2 limit 3',
  '* | unpack_logfmt | sort by (user, took desc) limit 4 rank as r',
  '* | unpack_logfmt | last 3 by (_time)',
])('the first rows with thousands of fields: %s', async (query) => {
  expect(await answer(columnar, query, { limits })).toEqual(await answer(model, query))
})
