import { expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import type { ExplainTree } from '../../../src/plan/index.ts'
import { enginesOf, linesOf, rowLines, type Fields } from './two-tables.ts'

const logs = Array.from({ length: 400 }, (_, i): Fields => ({
  trace_id: `t${(i * 7) % 90}`,
  level: ['info', 'warn', 'error', ''][i % 4] ?? null,
  place: i,
  ...(i % 3 === 0 ? { note: `n${i % 5}` } : {}),
}))
const spans = Array.from({ length: 120 }, (_, i): Fields => ({
  trace_id: `t${(i * 2) % 100}`,
  level: ['info', 'warn', 'error', ''][i % 4] ?? null,
  ...(i % 7 === 0 ? {} : { size: i % 11 === 0 ? `s${i}` : (i * 37) % 50 }),
  note: `x${i % 6}`,
}))
const [columnar, model] = enginesOf(logs, spans)
const right = '(options(domain=traces) * | fields trace_id, level, size, note)'
const sizes = '(options(domain=traces) * | fields trace_id, size)'

const limits = { batchRows: 8 }

/** The lines, and the join with what it did. */
async function answerOf(query: string): Promise<readonly [lines: readonly string[], join: ExplainTree]> {
  const result = columnar.query(query, { table: 'logs', limits })
  const lines = rowLines(await result.toArray())
  let tree = result.explain()
  while (tree.kind !== 'join') tree = present(tree.inputs[0], 'a node below')
  return [lines, tree]
}

test.each([
  [true, `* | join by (trace_id) ${sizes} inner | sort by (size desc, place) limit 3`],
  [true, `* | join by (trace_id) ${sizes} inner | sort by (size) limit 5`],
  [true, `* | join by (trace_id) ${sizes} inner | sort by (size desc) offset 4 limit 5`],
  [true, `* | join by (trace_id, level) ${right} inner | sort by (size, place) limit 3`],
  [true, `* | join by (trace_id) ${sizes} inner prefix r_ | sort by (r_size desc, place desc) limit 3`],
  [true, `* | fields trace_id, place | join by (trace_id) ${right} inner | sort by (note desc, size, place) limit 20`],
  // What left rows have, or some of them, comes out instead.
  [false, `* | join by (trace_id) ${right} inner | sort by (note, size, place) limit 3`],
  [false, `* | join by (trace_id) ${sizes} inner | sort by (place) limit 3`],
  [false, `* | join by (trace_id) ${sizes} inner | sort by (trace_id, size, place) limit 3`],
  // Rows come out without a partner, too.
  [false, `* | join by (trace_id) ${sizes} left | sort by (size desc, place) limit 3`],
  [false, `* | join by (trace_id) ${sizes} full | sort by (size, place, trace_id) limit 3`],
  // All of them come out.
  [false, `* | join by (trace_id) ${sizes} inner | sort by (size desc, place)`],
])('right rows that cannot be among the first ones are left out: %s, %s', async (isLeftOut, query) => {
  const expected = await linesOf(model, query)
  const [lines, { notes }] = await answerOf(query)
  expect(lines).toEqual(expected)
  expect(notes.some((note) => note.includes('are left out'))).toBe(isLeftOut)
  expect(expected.length).toBeGreaterThan(0)
})

test('pairs of right rows that are left out are not made', async () => {
  const pairsOf = async (query: string): Promise<number> => (await answerOf(query))[1].measured?.rows ?? 0
  const all = await pairsOf(`* | join by (trace_id) ${sizes} inner | sort by (size desc, place)`)
  expect(await pairsOf(`* | join by (trace_id) ${sizes} inner | sort by (size desc, place) limit 3`)).toBeLessThan(
    all / 2,
  )
})
