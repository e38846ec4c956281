/**
 * Whether response times reveal what a policy hides: the same visible logs among different hidden ones are queried
 * under the policy. Everything but the time is compared with the answer over the visible logs alone.
 *
 * `npm run bench -- scope-times [--visible N --hidden N --times N --only TEXT]`
 */
import { parseArgs } from 'node:util'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { rowOf, toText, type StoredRow, type Value } from '../../src/data/index.ts'
import { createEngine, type Engine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { combineScopes } from '../../src/policy/scope/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { storedRows } from '../datasets.ts'

const { values } = parseArgs({
  options: {
    visible: { type: 'string', default: '40000' },
    hidden: { type: 'string', default: '160000' },
    times: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
  },
})
const [visible, hidden, times] = [Number(values.visible), Number(values.hidden), Number(values.times)]

const VISIBLE = 'ours'
const stored = [
  { simple: { operator: 'and', conditions: [{ key: 'env', filters: [{ op: 'match', value: VISIBLE }] }], groups: [] } },
]
const scope = combineScopes(stored, { catalog: standardCatalog, functions: standardFunctions })

type Change = (i: number, row: StoredRow['row']) => readonly (readonly [string, Value])[]

/** The kinds of hidden logs. All are compared with the first. */
const classes: Readonly<Record<string, { readonly rows: number; readonly change: Change }>> = {
  'like the visible': { rows: hidden, change: () => [] },
  'none matches': {
    rows: hidden,
    change: () => [
      ['content', 'nothing to see'],
      ['level', 'trace'],
      ['status', 999],
    ],
  },
  'all match': {
    rows: hidden,
    change: () => [
      ['content', 'request failed: connection refused'],
      ['level', 'error'],
      ['status', 500],
    ],
  },
  'all different': {
    rows: hidden,
    change: (i) => [
      ['content', `number ${i} of ${i * 7919}`],
      ['pod', `pod-${i}`],
      ['workload', `work-${i}`],
    ],
  },
  'long texts': { rows: hidden, change: (_, row) => [['content', toText(row.get('content') ?? null).repeat(10)]] },
  'a tenth as many': { rows: Math.round(hidden / 10), change: () => [] },
  none: { rows: 0, change: () => [] },
}

const questions = [
  'failed | stats count() n',
  'content:*refus* | stats count() n',
  'content:~"(a|e)+ [a-z]+ [0-9]+" | limit 1000',
  'status:500 | limit 20',
  '* | stats by (level) count() n',
  '* | stats by (pod) count() n, max(duration_ms) m',
  '* | stats count_uniq(workload) n',
  '* | field_values pod limit 10',
  '* | facets 3',
  '* | sort by (duration_ms desc) | limit 20',
  '* | limit 20',
  '* | sample 100',
  '* | uniq by (workload) limit 5',
].filter((text) => text.includes(values.only))

/** Returns visible logs with hidden logs between them in time. */
function mixed(rows: number, change: Change): readonly StoredRow[] {
  const seen = Array.from(storedRows({ rows: visible, seed: 3 }), (each) => ({ ...each, row: own(each, VISIBLE, []) }))
  const unseen = Array.from(storedRows({ rows: Math.max(1, rows), seed: 4 }), (each, i) => ({
    ...each,
    row: own(each, 'theirs', change(i, each.row)),
  }))
  const all = [...seen, ...unseen.slice(0, rows)].toSorted((a, b) => Number(a.timeNs - b.timeNs))
  return all.map((each, sequence) => ({ ...each, sequence }))
}

function own({ row }: StoredRow, env: string, changes: ReturnType<Change>): StoredRow['row'] {
  return rowOf([...row, ...changes, ['env', env]])
}

function engineOf(rows: Iterable<StoredRow>): Engine {
  const store = createMemoryStore(standardCatalog)
  store.table('logs').writer.appendRows(rows)
  store.table('logs').seal()
  return createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })
}

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Returns the processor milliseconds and the answer. */
async function run(engine: Engine, text: string): Promise<readonly [number, string]> {
  const startMs = processorMs()
  const rows = await engine.query(text, { scope }).toArray()
  return [processorMs() - startMs, JSON.stringify(rows)]
}

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]

const engines = Object.entries(classes).map(([name, { rows, change }]) => ({
  name,
  engine: engineOf(mixed(rows, change)),
}))
console.log(`${visible} visible logs among ${hidden} hidden ones: processor ms, and times the first class`)
console.log(`${'question'.padEnd(44)} ${engines.map(({ name }) => name.padStart(17)).join('')}`)
for (const text of questions) {
  const taken = engines.map(() => [] as number[])
  const answers = new Set<string>()
  for (let i = 0; i < times + 3; i++) {
    // In turns, so that other work of the machine affects all of them alike.
    for (const [at, { engine }] of engines.entries()) {
      const [ms, answer] = await run(engine, text)
      answers.add(answer)
      if (i >= 3) taken[at].push(ms)
    }
  }
  if (answers.size > 1) throw new Error(`hidden logs change the answer of ${text}`)
  const [first, ...others] = taken.map(median)
  const ratios = others.map((ms) => `${(ms / Math.max(first, 0.01)).toFixed(2)} x`.padStart(17))
  console.log(`${text.padEnd(44)} ${first.toFixed(2).padStart(17)}${ratios.join('')}`)
}
