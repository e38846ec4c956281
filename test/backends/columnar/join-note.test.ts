import { expect, test } from 'vitest'
import { createEngine } from '../../../src/engine/index.ts'
import { columnarOver, mixedRows } from '../../engine/data.ts'

const engine = createEngine({ backends: [columnarOver(mixedRows(400))], lint: 'off' })

async function noteOf(query: string): Promise<string> {
  const result = engine.query(query)
  expect(result.explain().notes.filter((note) => note.includes('side'))).toEqual([])
  await result.toArray()
  return result
    .explain()
    .notes.filter((note) => note.includes('side'))
    .join()
}

test('explain says after a run which side of a join was built, and why', async () => {
  const few = 'level:error status:500 | fields pod, a'
  expect(await noteOf(`* | fields pod, status | join by (pod) (${few}) inner`)).toMatch(
    /^builds the right side, \d+ rows: its scan has no more rows$/,
  )
  expect(await noteOf(`${few} | join by (pod) (* | fields pod, status) inner`)).toMatch(
    /^builds the left side, \d+ rows: it was the first to end$/,
  )
  expect(await noteOf('* | stats by (pod) count() as n | join by (pod) (* | fields pod, status)')).toMatch(
    /^builds the left side, 5 rows: it was the first to end$/,
  )
  expect(await noteOf('pod:p1 | fields pod | join by (pod) (level:error | limit 1) cross')).toBe(
    'all pairs: the right side is held, 1 rows',
  )
})
