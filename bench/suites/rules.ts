import { parseArgs } from 'node:util'
import { sqliteBackend } from '../../src/backends/sql/index.ts'
import { SluiceError } from '../../src/base/index.ts'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { JsonText, toText, type MutableRow } from '../../src/data/index.ts'
import { createEngine, type Engine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { rules } from '../../src/optimize/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { openSqlite, sqliteTelemetry } from '../../src/store/sqlite/index.ts'
import { storedRows } from '../datasets.ts'
import { medianMs } from '../measure.ts'

/**
 * The time that each optimizer rule saves: `npm run bench -- rules [--rows N --only NAME,NAME --backend columnar|sqlite
 * --budget MS --query TEXT]`.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
    backend: { type: 'string', default: 'columnar' },
    budget: { type: 'string', default: '1500' },
    query: { type: 'string' },
  },
})
const count = Number(values.rows)
const only = values.only === '' ? [] : values.only.split(',')

/**
 * Yields a day of logs. Half of the messages end with 12 key-value pairs, the other half with a few pairs out of some
 * thousand names.
 */
function* rows() {
  let i = 0
  for (const stored of storedRows({ rows: count, seed: 1 })) {
    const row: MutableRow = new Map(stored.row)
    const pairs = Array.from(
      { length: 12 },
      (_, k) => `k${i % 2 === 0 ? k : (i * 7 + k * 131) % 3000}=v${(i + k) % 50}`,
    )
    row.set('content', `status=${i % 7} ${toText(row.get('content') ?? null)} ${pairs.join(' ')}`)
    row.set('labels', new JsonText(JSON.stringify({ app: `a${i % 9}`, zone: { name: `z${i % 5}` } })))
    i++
    yield { ...stored, row }
  }
}

async function loadedEngine(): Promise<Engine> {
  const store = createMemoryStore(standardCatalog)
  const columnar = columnarBackend(store, standardFunctions)
  if (values.backend === 'columnar') {
    store.table('logs').writer.appendRows(rows())
    return createEngine({ backends: [columnar], lint: 'off' })
  }
  if (values.backend !== 'sqlite') throw new Error(`There is no backend ${values.backend}.`)
  const telemetry = sqliteTelemetry(await openSqlite(':memory:'), standardCatalog)
  telemetry.load('logs', rows())
  const backend = sqliteBackend(telemetry, standardFunctions, { mode: 'in-process' })
  return createEngine({ backends: [backend], upper: columnar, lint: 'off' })
}

const engine = await loadedEngine()

/** Returns milliseconds, or the code of a refusal, since some queries run only with the rule. */
async function timeOf(query: string, disabledRules: readonly string[]): Promise<string> {
  const run = async (): Promise<void> => {
    const result = engine.query(query, { disabledRules })
    let seen = 0
    for await (const batch of result.batches()) seen += batch.rowCount
    if (seen < 0) throw new Error('no rows')
  }
  try {
    return (await medianMs(run, Number(values.budget))).toFixed(1)
  } catch (error) {
    if (error instanceof SluiceError) return error.diagnostics[0]?.code ?? error.message
    throw error
  }
}

console.log(`${values.backend}, ${count} rows; median milliseconds without the rule and with it`)
for (const rule of rules) {
  if (only.length > 0 && !only.includes(rule.name)) continue
  const query = values.query ?? rule.examples.changes
  const without = await timeOf(query, [rule.name])
  const withRule = await timeOf(query, [])
  console.log(`${rule.name.padEnd(22)} ${without.padStart(9)} ${withRule.padStart(9)}   ${query}`)
}
