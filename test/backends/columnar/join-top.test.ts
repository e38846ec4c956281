import { expect, test } from 'vitest'
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

test.each([
  `* | join by (trace_id) ${sizes} inner | sort by (size desc, place) limit 3`,
  `* | join by (trace_id) ${sizes} inner | sort by (size) limit 5`,
  `* | join by (trace_id) ${sizes} inner | sort by (size desc) offset 4 limit 5`,
  `* | join by (trace_id, level) ${right} inner | sort by (size, place) limit 3`,
  `* | join by (trace_id) ${sizes} inner prefix r_ | sort by (r_size desc, place desc) limit 3`,
  `* | fields trace_id, place | join by (trace_id) ${right} inner | sort by (note desc, size, place) limit 20`,
  `* | join by (trace_id) ${right} inner | sort by (note, size, place) limit 3`,
  `* | join by (trace_id) ${sizes} inner | sort by (place) limit 3`,
  `* | join by (trace_id) ${sizes} inner | sort by (trace_id, size, place) limit 3`,
  `* | join by (trace_id) ${sizes} left | sort by (size desc, place) limit 3`,
  `* | join by (trace_id) ${sizes} full | sort by (size, place, trace_id) limit 3`,
  `* | join by (trace_id) ${sizes} inner | sort by (size desc, place)`,
])('the first rows of a join are those of the row model: %s', async (query) => {
  const expected = await linesOf(model, query)
  const rows = await columnar.query(query, { table: 'logs', limits: { batchRows: 8 } }).toArray()
  expect(rowLines(rows)).toEqual(expected)
  expect(expected.length).toBeGreaterThan(0)
})
