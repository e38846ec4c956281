import { describe, expect, test } from 'vitest'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { rowsBackend } from '../../../src/backends/rows/index.ts'
import { Instant, type StoredRow, type Value } from '../../../src/data/index.ts'
import { createEngine, type Engine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'

type Fields = Readonly<Record<string, Value>>

function rowsOf(all: readonly Fields[]): StoredRow[] {
  return all.map((fields, i) => {
    const timeNs = BigInt(1000 + i)
    return {
      timeNs,
      sequence: i,
      row: new Map<string, Value>([['_time', new Instant(timeNs)], ...Object.entries(fields)]),
    }
  })
}

/** The same rows in the columns of several segments, and as the model has them. */
function enginesOf(logs: readonly Fields[], spans: readonly Fields[]): readonly [columnar: Engine, model: Engine] {
  const store = createMemoryStore(standardCatalog)
  const rows = { logs: rowsOf(logs), spans: rowsOf(spans) }
  for (const side of ['logs', 'spans'] as const) {
    const table = store.table(side)
    const half = rows[side].length >> 1
    table.appendRows(rows[side].slice(0, half))
    table.seal()
    table.appendRows(rows[side].slice(half))
    table.seal()
  }
  const model = rowsBackend(new Map(Object.entries(rows)), standardFunctions)
  return [columnarBackend(store, standardFunctions), model].map((backend) =>
    createEngine({ backends: [backend], lint: 'off' }),
  ) as [Engine, Engine]
}

async function linesOf(engine: Engine, query: string): Promise<readonly string[]> {
  const rows = await engine.query(query, { table: 'logs' }).toArray()
  return rows.map((row) =>
    JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
  )
}

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
