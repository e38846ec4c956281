import { parseArgs } from 'node:util'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { JsonText, toText, type MutableRow } from '../../src/data/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { rules } from '../../src/optimize/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { storedRows } from '../datasets.ts'
import { medianMs } from '../measure.ts'

/** What each rule saves: `npm run bench -- rules [--rows N --only NAME,NAME --budget MS --query TEXT]`. */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
    budget: { type: 'string', default: '1500' },
    query: { type: 'string' },
  },
})
const count = Number(values.rows)
const only = values.only === '' ? [] : values.only.split(',')

/** A day of logs; half of the messages have 12 pairs of their own behind them, the other half a few of some thousand names. */
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

const store = createMemoryStore(standardCatalog)
store.table('logs').appendRows(rows())
const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })

async function timeOf(query: string, disabledRules: readonly string[]): Promise<number> {
  const run = async (): Promise<void> => {
    const result = engine.query(query, { disabledRules })
    let seen = 0
    for await (const batch of result.batches()) seen += batch.rowCount
    if (seen < 0) throw new Error('no rows')
  }
  return medianMs(run, Number(values.budget))
}

console.log(`${count} rows; median milliseconds without the rule and with it`)
for (const rule of rules) {
  if (only.length > 0 && !only.includes(rule.name)) continue
  const query = values.query ?? rule.examples.changes
  const without = await timeOf(query, [rule.name])
  const withRule = await timeOf(query, [])
  console.log(`${rule.name.padEnd(22)} ${without.toFixed(1).padStart(9)} ${withRule.toFixed(1).padStart(9)}   ${query}`)
}
