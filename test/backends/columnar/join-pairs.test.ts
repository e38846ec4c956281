import { describe, expect, test } from 'vitest'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { SluiceError } from '../../../src/base/index.ts'
import { createEngine, type QueryOptions } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import { processorMs } from '../../harness/processor-time.ts'

const ROWS = 20_000
/** No machine makes 400 million pairs in that time. */
const limits = { timeoutMs: 500 }

const store = createMemoryStore(standardCatalog)
for (const table of ['logs', 'spans'] as const) {
  const rows = Array.from({ length: ROWS }, (_, i) =>
    JSON.stringify({ _time: 1_700_000_000_000 + i, peer: 'same', trace_id: `t${i}`, n: i % 7 }),
  )
  store.table(table).appendJsonLines(new TextEncoder().encode(rows.join('\n')), { nowNs: 0n })
  store.table(table).seal()
}
const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })

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
    const start = processorMs()
    expect(await refusal(`* | join by (peer) ${spans} inner | stats count() n`)).toBe(text)
    expect(processorMs() - start).toBeLessThan(500)
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
