// @module-tag slow
import { describe, expect, test } from 'vitest'
import { enginesOf, rowLines, type Fields } from './two-tables.ts'

/** Returns a key that is missing, empty, present in one table only, or shared by many rows. */
function keyOf(i: number, own: string): string | null {
  if (i % 13 === 0) return null
  if (i % 17 === 0) return ''
  if (i % 11 === 0) return 'hot'
  return i % 3 === 0 ? `${own}${i}` : `t${i % 101}`
}

const spans = Array.from({ length: 2000 }, (_, i): Fields => ({
  trace_id: keyOf(i, 's'),
  size: i / 8,
  name: ['a', 'b', '', null][i % 4] ?? null,
}))
const logs = Array.from({ length: 400 }, (_, i): Fields => ({
  trace_id: keyOf(i * 7, 'l'),
  level: `l${i % 3}`,
  weight: i % 5 === 0 ? 1e300 : i / 16,
}))
const [columnar, model] = enginesOf(logs, spans)
const right = '(options(domain=logs) * | fields trace_id, level, weight)'

describe('joins of whole scans below an aggregate', () => {
  test.each([
    `* | join by (trace_id) ${right} inner | stats by (level) count() n, sum(weight) weight, sum(size) size | sort by (level)`,
    `* | join by (trace_id) ${right} left | stats by (level) count() n, count(weight) found, sum(size) size | sort by (level)`,
    `* | join by (trace_id) ${right} left | stats by (name) count() n, avg(size) size | sort by (name)`,
    `* | join by (trace_id) ${right} inner | stats by (trace_id) count() n, sum(size) size | sort by (trace_id)`,
    `* | join by (trace_id) ${right} left prefix r_ | stats by (name, r_level) count() n, sum(r_weight) weight | sort by (name, r_level)`,
  ])('%s', async (query) => {
    // Query all rows, then a time range that begins and ends within a segment.
    for (const range of [undefined, { startNs: 1037n, endNs: 2711n }]) {
      const options = { table: 'spans', ...(range === undefined ? {} : { range }) }
      const lines = rowLines(await columnar.query(query, options).toArray())
      expect(lines).toEqual(rowLines(await model.query(query, options).toArray()))
      expect(lines.length).toBeGreaterThan(1)
    }
  })
})
