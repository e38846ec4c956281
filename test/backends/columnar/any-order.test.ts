import { describe, expect, test } from 'vitest'
import { enginesOf, linesOf, type Fields } from './two-tables.ts'

const spans = '(options(domain=traces) * | fields trace_id, size, kind)'

describe('rows above which only sums are taken', () => {
  const logs = Array.from({ length: 300 }, (_, i): Fields => ({
    trace_id: `t${(i * 7) % 90}`,
    level: ['info', 'warn', 'error', ''][i % 4] ?? null,
    place: i % 50,
    weight: i % 11 === 0 ? 1e200 * (i + 1) : i / 8,
    ...(i % 3 === 0 ? { note: `n${i % 5}` } : {}),
  }))
  const some = Array.from({ length: 60 }, (_, i): Fields => ({
    trace_id: `t${i * 2}`,
    size: i / 4,
    kind: `k${i % 3}`,
    note: 'x',
  }))
  const [columnar, model] = enginesOf(logs, some)

  test.each([
    `* | join by (trace_id) ${spans} left | stats by (kind) count() n, count(size) found, sum(place) places, avg(size) mean | sort by (kind)`,
    `* | join by (trace_id) ${spans} left | stats by (level, kind) count() n, sum(size) size | sort by (level, kind)`,
    `* | join by (trace_id) ${spans} left | stats by (kind) sum(weight) weight, avg(weight) mean, sum(weight, place, size) all | sort by (kind)`,
    `* | join by (trace_id) ${spans} inner | stats by (level, kind) count() n, sum(size) size, sum(weight) weight | sort by (level, kind)`,
    `* | join by (trace_id) ${spans} full | stats by (kind) count() n, count(size) found, sum(weight) weight | sort by (kind)`,
    `* | join by (trace_id) (options(domain=traces) *) left | stats by (note) count() n, sum(place) places | sort by (note)`,
    `* | join by (trace_id) ${spans} left prefix r_ | stats by (r_kind) count() n, sum(r_size) size | sort by (r_kind)`,
    'options(domain=traces) * | join by (trace_id) (options(domain=logs) * | fields trace_id, level, place) left | stats by (level) count() n, sum(size) size, sum(place) places | sort by (level)',
    '* | sort by (place desc) limit 2 partition by (trace_id) | stats by (level) count() n, sum(place) places | sort by (level)',
    '* | sort by (place, _time desc) limit 3 partition by (trace_id, level) | stats count() n, sum(place) places',
    '* | sort by (note) limit 4 partition by (trace_id) | stats by (trace_id) count(note) n, sum(place) places | sort by (trace_id)',
    '* | sort by (place) limit 40 partition by (level) | stats by (level) count() n, avg(place) places | sort by (level)',
    '* | sort by (place) limit 3 offset 1 partition by (trace_id) | stats by (level) count() n, sum(place) places | sort by (level)',
    '* | sort by (place) limit 3 partition by (trace_id) rank as r | stats by (r) count() n, sum(place) places | sort by (r)',
  ])('%s', async (query) => {
    const lines = await linesOf(columnar, query)
    expect(lines).toEqual(await linesOf(model, query))
    expect(lines.length).toBeGreaterThan(0)
  })
})
