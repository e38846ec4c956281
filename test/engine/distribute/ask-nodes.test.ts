import { describe, expect, test } from 'vitest'
import { collect, present, SluiceError } from '../../../src/base/index.ts'
import { rowsBackend } from '../../../src/backends/rows/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { Instant, rowToJson, type StoredRow } from '../../../src/data/index.ts'
import { askNodes, createEngine, type Engine, type QueryOptions } from '../../../src/engine/index.ts'
import { standardFunctions, withPartialStates } from '../../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import { minuteNs, mixedRows, startNs } from '../data.ts'

const functions = withPartialStates(standardFunctions)
const nowNs = startNs + 60n * minuteNs

function overRows(rows: readonly StoredRow[]): Engine {
  return createEngine({ backends: [rowsBackend(new Map([['logs', rows]]), functions)], functions, lint: 'off' })
}

function overColumns(rows: readonly StoredRow[]): Engine {
  const store = createMemoryStore(standardCatalog)
  store.table('logs').appendRows(rows)
  return createEngine({ backends: [columnarBackend(store, functions)], functions, lint: 'off' })
}

/** Times all differ, so that the order of rows does not depend on where they are. */
const all = mixedRows(240).map((each, i): StoredRow => {
  const timeNs = each.timeNs + BigInt(i * 7919)
  return { ...each, timeNs, row: new Map([...each.row, ['_time', new Instant(timeNs)]]) }
})

const whole = overRows(all)
const nodes = [
  overRows(all.filter((_, i) => i % 3 === 0)),
  overColumns(all.filter((_, i) => i % 3 === 1)),
  overColumns(all.filter((_, i) => i % 3 === 2)),
  overRows([]),
]
const coordinator = overColumns([])

async function both(text: string, options: QueryOptions = {}): Promise<void> {
  const given = { nowNs, ...options }
  const expected = (await collect(whole.query(text, given).rows())).map((row) => rowToJson(row))
  const answer = await askNodes(text, nodes, coordinator, given)
  expect((await collect(answer.rows())).map((row) => rowToJson(row))).toEqual(expected)
}

describe('the answer of several nodes is the answer over all their rows', () => {
  test.each([
    '*',
    'level:error level:warn',
    '* | limit 7',
    '* | limit 9 | offset 4 | fields content',
    'level:error | sort by (duration_ms desc, _time) limit 6 | fields _time, duration_ms',
    '* | sort by (pod, _time)',
    '* | sort by (duration_ms desc, _time) partition by (pod) limit 2 rank as r',
    '* | first 3 by (duration_ms, _time) rank',
    '* | last 3 by (duration_ms, _time) partition by (level)',
    '* | stats by (pod, level) count() as n, sum(duration_ms) as s, avg(duration_ms) as m, min(a), max(a) as x',
    '* | stats by (_time:5m) count() as n, count() if (level:error) as e, rate() as r',
    '* | stats count() switch(case (level:error) as errors, default as others), stddev(duration_ms) as d',
    '* | stats by (pod) quantile(0.5, duration_ms) as q, median(status) as m, count_uniq(level) as u, uniq_values(level) as v',
    '* | stats by (pod) field_max(duration_ms, content) as c, row_max(duration_ms, pod, duration_ms) as r, histogram(duration_ms) as h',
    'nothing:here | stats count() as n, sum(a) as s, max(a) as x',
    'nothing:here | stats by (pod) count() as n',
    '* | stats by (pod) values(level) as v',
    '* | stats by (pod) count() as n | filter n:>5 | sort by (n desc) limit 2',
    '* | top 2 by (pod)',
    '* | top 3 by (level, pod) hits as n rank as r',
    '* | uniq by (level)',
    '* | uniq by (level, pod) with hits limit 4',
    '* | uniq by (pod) filter p1',
    '* | field_values level',
    '* | field_values level filter e limit 2',
    '* | field_names',
    '* | facets 3',
    '* | running_stats by (pod) count() as n, sum(duration_ms) as s | limit 20',
    '* | total_stats by (pod) count() as n | limit 20',
    '* | drop_empty_fields | extract "connection <what>" | math duration_ms * 2 as d | limit 30',
    '* | generate_sequence 3',
  ])('%s', async (text) => both(text))

  test.each([
    '* | stats by (pod) min(duration_ms) as x, count() n',
    '* | last 2 by (duration_ms, _time) partition by (pod)',
    'error or connection | count()',
  ])('logsql %s', async (text) => both(text, { dialect: 'logsql' }))

  test('rows that no longer have their time come node by node', async () => {
    const answer = await askNodes('* | fields pod, level | limit 50', nodes, coordinator, { nowNs })
    const one = await collect(present(nodes[0]).query('* | fields pod, level | limit 50', { nowNs }).rows())
    expect((await collect(answer.rows())).map((row) => rowToJson(row))).toEqual(one.map((row) => rowToJson(row)))
  })

  test('with a range', async () => {
    const range = { startNs: startNs + 3n * minuteNs, endNs: startNs + 11n * minuteNs }
    await both('* | stats by (level) count() as n, rate() as r', { range })
    await both('* | limit 11', { range })
  })
})

describe('refusals', () => {
  const refusal = async (text: string, options: QueryOptions = {}): Promise<string> => {
    try {
      await askNodes(text, nodes, coordinator, options)
      return 'answered'
    } catch (error) {
      if (error instanceof SluiceError) return error.code
      throw error
    }
  }

  test('queries inside, too many rows, and what any engine refuses', async () => {
    expect(await refusal('pod:in(level:error | fields pod)')).toBe('engine/nested-query')
    expect(await refusal('* | join by (pod) (level:error)')).toBe('engine/nested-query')
    expect(await refusal('*', { limits: { bridgeRows: 20 } })).toBe('engine/bridge-too-large')
    expect(await refusal('* | nopipe 3')).toMatch(/^log\//)
    expect(await refusal('* | stats count() as a | fields b')).toMatch(/^analyze\//)
  })
})
