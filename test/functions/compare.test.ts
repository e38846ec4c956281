import { expect, test } from 'vitest'
import { createEngine, type Engine } from '../../src/engine/index.ts'

async function rowsOver(over: Engine, query: string): Promise<readonly object[]> {
  const found: object[] = []
  for await (const row of over.query(query, { table: 'rows' }).rows()) found.push(row)
  return found
}

const rows = [
  { a: 'x', b: 1, e: 'yes' },
  { a: 'x', b: 2, e: 'yes' },
  { a: 'y', b: 1, e: 'no' },
  { a: 'y', b: 2, e: 'no' },
  { a: 'x', b: 1, e: 'no' },
  { b: '', e: 'no' },
]
const engine = createEngine({ tables: { rows } })
const answer = (query: string) => rowsOver(engine, query)

test('values that are more frequent in the rows of the filter come first', async () => {
  expect(await answer('* | compare (e:=yes) 3')).toEqual([
    { field_name: 'e', field_value: 'yes', hits: 2, share: 1, others: 0, share_others: 0, lift: null },
    { field_name: 'a', field_value: 'x', hits: 2, share: 1, others: 1, share_others: 0.25, lift: 4 },
    { field_name: 'b', field_value: 2, hits: 1, share: 0.5, others: 1, share_others: 0.25, lift: 2 },
  ])
})

test('without rows of the filter there is nothing to explain; without others nothing has a lift', async () => {
  expect(await answer('* | compare (e:=maybe)')).toEqual([])
  expect(await answer('* | compare (*) 1')).toEqual([
    { field_name: 'e', field_value: 'no', hits: 4, share: 4 / 6, others: 0, share_others: 0, lift: null },
  ])
})

test('only values of rows that reach the pipe count', async () => {
  const found = await answer('a:=x | compare (e:=yes)')
  expect(found).toContainEqual({
    field_name: 'a',
    field_value: 'x',
    hits: 2,
    share: 1,
    others: 1,
    share_others: 1,
    lift: 1,
  })
})

test('fields with many or long values are left out', async () => {
  const many = Array.from({ length: 2400 }, (_, i) => ({ id: i, text: 'x'.repeat(200), e: i % 2 }))
  const other = createEngine({ tables: { rows: many } })
  const found = await rowsOver(other, '* | compare (e:=1)')
  expect(found.map((row) => (row as { field_name: string }).field_name)).toEqual(['e'])
})

test.each(['* | compare', '* | compare level:error', '* | compare (', '* | compare () 3'])('refuses %s', (query) => {
  expect(() => engine.query(query, { table: 'rows' })).toThrow()
})
