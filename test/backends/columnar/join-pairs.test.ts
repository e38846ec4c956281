import { describe, expect, test } from 'vitest'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { SluiceError } from '../../../src/base/index.ts'
import { createEngine, type Clock, type QueryOptions } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'

const ROWS = 20_000
/** With a stopped clock only row counts decide, not the speed of the machine. */
const clock: Clock = { nowNs: () => 0n, nowMs: () => 0 }
/** Time limit in which no machine can produce 400 million pairs. */
const limits = { timeoutMs: 500 }

const store = createMemoryStore(standardCatalog)
for (const table of ['logs', 'spans'] as const) {
  const rows = Array.from({ length: ROWS }, (_, i) =>
    JSON.stringify({ _time: 1_700_000_000_000 + i, peer: 'same', trace_id: `t${i}`, n: i % 7 }),
  )
  store.table(table).writer.appendJsonLines(new TextEncoder().encode(rows.join('\n')), { nowNs: 0n })
  store.table(table).seal()
}
const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)], clock, lint: 'off' })

async function rowsOf(query: string, given: QueryOptions['limits'] = limits): Promise<readonly unknown[]> {
  return engine.query(query, { table: 'logs', limits: given }).toArray()
}

async function refusal(query: string): Promise<string> {
  const error = await rowsOf(query).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof SluiceError)) return 'none'
  return error.diagnostics.map(({ code, message }) => `${code}: ${message}`).join()
}

const spans = '(options(domain=traces) * | fields peer, trace_id)'
const text = `budget/pairs: The join makes 400,000,000 pairs of rows, more than can be read within the time limit of 500 ms.`

describe('a join of more pairs than there is time for', () => {
  test('is refused when they are counted, before any is made', async () => {
    expect(await refusal(`* | join by (peer) ${spans} inner | stats count() n`)).toBe(text)
    expect(await refusal(`* | join by (peer) ${spans} left | sort by (n) | limit 3`)).toBe(text)
    expect(
      await refusal(`* | join by (peer) ${spans} inner | fields n | math n * 2 as m | stats by (m) count() c`),
    ).toBe(text)
    expect(await refusal(`* | join by (peer) ${spans} cross | stats count() n`)).toBe(text)
  })

  test('is not refused where a limit needs only some of them', async () => {
    expect(await rowsOf(`* | join by (peer) ${spans} inner | limit 5`)).toHaveLength(5)
    expect(await rowsOf(`* | join by (peer) ${spans} inner | fields n | limit 5 | stats count() n`)).toHaveLength(1)
    let read = 0
    const query = engine.query(`* | join by (peer) ${spans} inner`, { table: 'logs', limits })
    for await (const batch of query.batches()) if ((read += batch.rowCount) > 1000) break
    expect(read).toBeGreaterThan(1000)
  })

  test('a key of few rows beside many others is no reason', async () => {
    const query = `* | join by (trace_id) ${spans} inner | stats count() n`
    expect(await rowsOf(query)).toEqual([{ n: ROWS }])
  })
})

/** The same key occurs in a fifth of the rows of both tables. */
describe.each([
  ['codes', true],
  ['plain values', false],
])('pairs of keys that many rows have, in %s', (_, hasCodes) => {
  const rowsEach = 30_000
  const many = createMemoryStore(standardCatalog, { hasCodes })
  for (const [side, table] of (['logs', 'spans'] as const).entries()) {
    const rows = Array.from({ length: rowsEach }, (_row, i) => {
      const own = `${side} ${i}`
      const isHot = i % 5 === 0
      const keys = {
        hot: isHot ? 'hot' : own,
        half: isHot ? 'a' : 'b',
        alone: isHot && side === 0 ? 'hot' : own,
      }
      return JSON.stringify({ _time: 1_700_000_000_000 + i, trace_id: own, ...keys })
    })
    for (let from = 0; from < rowsEach; from += 10_000) {
      const some = rows.slice(from, from + 10_000).join('\n')
      many.table(table).writer.appendJsonLines(new TextEncoder().encode(some), { nowNs: 0n })
      many.table(table).seal()
    }
  }
  const over = createEngine({ backends: [columnarBackend(many, standardFunctions)], clock, lint: 'off' })
  const right = '(options(domain=traces) * | fields hot, half, alone)'
  const ask = (by: string, timeoutMs: number) =>
    over.query(`* | join by (${by}) ${right} inner | stats count() n`, { table: 'logs', limits: { timeoutMs } })
  test('are counted before any is made', async () => {
    const error = await ask('half', 39)
      .toArray()
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
    expect(error).toBeInstanceOf(SluiceError)
    expect((error as SluiceError).message).toContain('The join makes 612,000,000 pairs')
  })

  test('are made where there is time for them', async () => {
    expect(await ask('hot', 60_000).toArray()).toEqual([{ n: 36_000_000 }])
  })

  test('are few where only one side has many rows of a key', async () => {
    expect(await ask('alone', 1_500).toArray()).toEqual([{ n: 0 }])
  })
})
