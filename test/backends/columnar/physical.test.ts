import { describe, expect, test } from 'vitest'
import { collect, present, SluiceError } from '../../../src/base/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import type { Backend } from '../../../src/backends/index.ts'
import { rowsBackend } from '../../../src/backends/rows/index.ts'
import { createEngine, type QueryOptions, readRows } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { column, test as testExpr } from '../../../src/plan/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import { storedRows } from '../../../bench/datasets.ts'

const ROWS = 4000
const SEGMENTS = 4
const store = createMemoryStore(standardCatalog)
const table = store.table('logs')
const all = [...storedRows({ rows: ROWS, seed: 11 })]
for (let i = 0; i < SEGMENTS; i++) {
  table.writer.appendRows(all.slice((i * ROWS) / SEGMENTS, ((i + 1) * ROWS) / SEGMENTS))
  const middle = present(all[ROWS / 2])
  if (i === 2) table.writer.appendRows([{ ...middle, row: new Map([...middle.row, ['content', 'qzxneedle']]) }])
  table.seal()
}
const columnar = columnarBackend(store, standardFunctions)

type Rows = readonly Readonly<Record<string, unknown>>[]

async function answer(query: string, options: QueryOptions = {}, backend: Backend = columnar): Promise<Rows> {
  const engine = createEngine({ backends: [backend], upper: columnar, lint: 'off' })
  const rows = await collect(readRows(engine.query(query, options).batches()))
  return rows.map((row) => Object.fromEntries(row))
}

async function refusal(query: string, options: QueryOptions = {}, backend: Backend = columnar): Promise<string> {
  try {
    await answer(query, options, backend)
    return 'answered'
  } catch (error) {
    if (error instanceof SluiceError) return `${error.code}: ${error.message}`
    throw error
  }
}

const segments = table.view.snapshot()

describe('blocks_count', () => {
  test('counts segments with a row that passes', async () => {
    expect(await answer('* | blocks_count')).toEqual([{ blocks_count: segments.length }])
    expect(await answer('qzxneedle | blocks_count as n')).toEqual([{ n: 1 }])
    expect(await answer('level:=nosuchlevel | blocks_count')).toEqual([{ blocks_count: 0 }])
    expect(await answer('level:in() | blocks_count')).toEqual([{ blocks_count: 0 }])
  })

  test('the same without the optimizer', async () => {
    for (const query of ['* | blocks_count', 'qzxneedle | blocks_count', 'duration_ms:>5 level:error | blocks_count']) {
      expect(await answer(query, { disabledRules: ['*'] })).toEqual(await answer(query))
    }
  })
})

describe('block_stats', () => {
  test('tells each field of each segment from the segment itself', async () => {
    const rows = await answer('* | block_stats')
    expect(rows).toHaveLength(segments.reduce((sum, segment) => sum + segment.columns.size, 0))
    for (const { block, field, rows: rowCount, missing_rows: missing } of rows) {
      const segment = segments.find(({ id }) => id === block)
      expect(rowCount).toBe(segment?.rowCount)
      expect(missing).toBe(segment?.columns.get(String(field))?.missingCount)
    }
  })

  test('bytes and encodings', async () => {
    const rows = await answer(
      'qzxneedle | block_stats | fields field, type, values_bytes, index_bytes, dictionary_items',
    )
    expect(rows.length).toBeGreaterThan(5)
    const [content] = rows.filter(({ field }) => field === 'content')
    expect(content?.['type']).toBe('text')
    expect(content?.['values_bytes']).toBeGreaterThan(ROWS / SEGMENTS)
    expect(content?.['index_bytes']).toBeGreaterThan(0)
    const [level] = rows.filter(({ field }) => field === 'level')
    expect(level?.['type']).toBe('dictionary')
    expect(level?.['dictionary_items']).toBeGreaterThan(2)
  })

  test('fields that are left out in front of it are left out of it', async () => {
    const fieldsOf = async (query: string): Promise<readonly string[]> =>
      [...new Set((await answer(query)).map(({ field }) => String(field)))].toSorted()
    const every = await fieldsOf('* | block_stats')
    expect(await fieldsOf('* | fields level, nosuch, cont* | block_stats')).toEqual(['content', 'level'])
    expect(await fieldsOf('* | keep _msg | block_stats')).toEqual(['content'])
    expect(await fieldsOf('* | delete content, p* | block_stats')).toEqual(
      every.filter((name) => name !== 'content' && !name.startsWith('p')),
    )
    expect(await fieldsOf('* | fields level, content | delete level | block_stats')).toEqual(['content'])
    expect(await answer('* | fields level | blocks_count')).toEqual([{ blocks_count: segments.length }])
  })

  test('its rows can be worked on', async () => {
    const [whole] = await answer('* | block_stats | stats sum(values_bytes) as n')
    const sum = (await answer('* | block_stats')).reduce((total, row) => total + Number(row['values_bytes']), 0)
    expect(whole).toEqual({ n: sum })
  })
})

describe('query_stats', () => {
  test('counts what was found and read', async () => {
    const [whole] = await answer('* | query_stats')
    expect(whole).toMatchObject({ rows_found: ROWS + 1, rows_scanned: ROWS + 1, blocks_total: segments.length })
    expect(whole?.['duration_ns']).toBeGreaterThan(0)
    const [needle] = await answer('qzxneedle | query_stats')
    expect(needle).toMatchObject({ rows_found: 1, blocks_skipped: segments.length - 1 })
    expect(needle?.['postings_read']).toBeGreaterThan(0)
  })

  test('of joins and groups too', async () => {
    const [groups] = await answer('* | stats by (level) count() as n | query_stats')
    expect(groups).toMatchObject({ blocks_counted: segments.length, rows_scanned: 0 })
    const [both] = await answer('qzxneedle | union (qzxneedle) | query_stats')
    expect(both).toMatchObject({ rows_found: 2, blocks_total: 2 * segments.length })
  })
})

describe('refusals', () => {
  const pipes = ['block_stats', 'blocks_count', 'query_stats']
  const level = testExpr(column('level'), { kind: 'equals', value: 'error', isFolded: true, isTyped: true })

  test.each(pipes)('%s under a data scope', async (pipe) => {
    const told = await refusal(`* | ${pipe}`, { scope: () => level })
    expect(told).toMatch(/^engine\/not-under-scope: /)
    expect(await refusal(`* | union (* | ${pipe})`, { scope: () => level })).toMatch(/^engine\/not-under-scope: /)
    const inSubquery = `level:in(* | ${pipe} | stats count() as n | fields n)`
    expect(await refusal(inSubquery, { scope: () => level })).toMatch(/^engine\/not-under-scope: /)
    expect(await refusal(`* | ${pipe}`, { scope: () => undefined })).toBe('answered')
  })

  test.each(pipes)('%s on a backend without segments', async (pipe) => {
    const rows = rowsBackend(new Map([['logs', all]]), standardFunctions)
    expect(await refusal(`* | ${pipe}`, {}, rows)).toMatch(/^engine\/unsupported-node: .*no segments/)
  })

  test.each(['block_stats', 'blocks_count'])('%s of rows that are no longer stored ones', async (pipe) => {
    expect(await refusal(`* | limit 5 | ${pipe}`)).toMatch(/^engine\/unsupported-node: .*right behind the filters/)
  })
})
