/**
 * Measures a backtest of seven days with one round a minute, and for comparison one query over all its rows:
 * `npm run bench -- backtest [--rows N --windows 1m,5m]`. `--by-rounds` also runs one query for each of some rounds and
 * extrapolates the time of all rounds.
 */
import { parseArgs } from 'node:util'
import { backtest } from '../../src/alerting/backtest/index.ts'
import { monitorDefinition, runQueries } from '../../src/alerting/monitors/index.ts'
import { Instant, type StoredRow } from '../../src/data/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { monitorQueryTools } from '../../src/server/index.ts'
import { SampleStore, createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { decode, monitor as monitorSchema } from '../../src/wire/index.ts'
import { dayStartNs, storedRows } from '../datasets.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    windows: { type: 'string', default: '1m,5m' },
    'by-rounds': { type: 'boolean', default: false },
  },
})

const DAYS = 7
const DAY_MS = 86_400_000
const TEXT = 'level:error | stats by (workload) count() n'

/** Yields the rows of a day, spread over seven days. */
function* rows(): Generator<StoredRow> {
  for (const { timeNs, sequence, row } of storedRows({ rows: Number(values.rows), seed: 1 })) {
    const spreadNs = dayStartNs + (timeNs - dayStartNs) * BigInt(DAYS)
    yield { timeNs: spreadNs, sequence, row: new Map(row).set('_time', new Instant(spreadNs)) }
  }
}

async function seconds(task: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await task()
  return (performance.now() - startMs) / 1000
}

const store = createMemoryStore(standardCatalog)
store.table('logs').writer.appendRows(rows())
store.table('logs').seal()
const engine = createEngine({ tables: store.tables, lint: 'off' })
const tools = monitorQueryTools(engine, new SampleStore().reader)
const fromMs = Number(dayStartNs / 1_000_000n)
const toMs = fromMs + DAYS * DAY_MS

const query = async (): Promise<void> => {
  for await (const _ of engine.query(TEXT).batches());
}
await query()
console.log(`${values.rows} rows over ${DAYS} days; seconds of the first run and the next`)
console.log(`one query over all rows: ${(await seconds(query)).toFixed(3)}`)
for (const window of values.windows.split(',')) {
  const body = {
    title: 'Errors',
    model: {
      queries: [
        { name: 'n', dataType: 'logs', expression: TEXT, relativeTimerange: { from: `-${window}`, to: 'now' } },
      ],
      thresholds: [{ name: 't', inputName: 'n', operator: 'gt', values: [(Number(values.rows) / 1e6) * 3] }],
    },
  }
  const definition = monitorDefinition('bench', decode(monitorSchema, body))
  const run = () => backtest({ definition, fromMs, toMs, tools })
  const first = await seconds(run)
  let transitions = 0
  const next = await seconds(async () => void (transitions = (await run()).transitions.length))
  console.log(`window ${window}: ${first.toFixed(2)} and ${next.toFixed(2)}, ${transitions} transitions`)
  if (!values['by-rounds']) continue
  const few = 300
  const byRounds = await seconds(async () => {
    for (let i = 0; i < few; i++) await runQueries(definition, fromMs + DAY_MS + i * 60_000, tools)
  })
  console.log(`window ${window}, queries of each round: ${((byRounds / few) * DAYS * 1440).toFixed(2)}`)
}
