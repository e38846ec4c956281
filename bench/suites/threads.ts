/** Questions over one store, answered by one thread and with helpers by turns: time by the clock, and processor time of all threads. */
import { parseArgs } from 'node:util'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { createEngine, type Engine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { HelperThreads } from '../../src/helpers/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { loadLines } from '../peers/load-lines.ts'
import { firstDifference, normalizeRows } from '../peers/normalize.ts'
import { prepareOwn } from '../peers/own.ts'
import { questions } from '../questions.ts'
import { bind, dataFile } from '../run.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '2000000' },
    threads: { type: 'string', default: '2' },
    only: { type: 'string', multiple: true, default: [] },
    query: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '9' },
  },
})
const rows = Number(values.rows)
const threads = Number(values.threads)
const rounds = Number(values.rounds)
const only = values.only.flatMap((ids) => ids.split(','))

interface Times {
  readonly wallMs: number[]
  readonly processorMs: number[]
}

async function take(run: () => Promise<unknown>, { wallMs, processorMs }: Times): Promise<void> {
  const before = process.cpuUsage()
  const startMs = performance.now()
  await run()
  wallMs.push(performance.now() - startMs)
  const { user, system } = process.cpuUsage(before)
  processorMs.push((user + system) / 1000)
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? NaN
}

const store = createMemoryStore(standardCatalog)
await loadLines(store.table('logs'), await dataFile({ rows }))
const helpers = new HelperThreads({ threads: threads - 1 })
const engineOf = (links?: ReturnType<HelperThreads['links']>): Engine =>
  createEngine({ backends: [columnarBackend(store, standardFunctions, { helpers: links })], lint: 'off' })
const engines = [engineOf(), engineOf(helpers.links())] as const
console.log(`${rows} rows, 1 and ${threads} threads, medians of ${rounds} runs by turns; ms`)
console.log('id    alone   shared  faster | processor time: alone  shared  more | question')
const [first] = questions
const asked = values.query.map((query, index) => ({ ...first, id: `own ${index + 1}`, title: query, query }))
const named = questions.filter(({ id }) => (only.length === 0 ? asked.length === 0 : only.includes(id)))
for (const question of [...named, ...asked]) {
  const runs = engines.map((engine) => prepareOwn(engine, bind(question, { rows })))
  const times = runs.map((): Times => ({ wallMs: [], processorMs: [] }))
  const [expected, found] = [await runs[0]?.(), await runs[1]?.()]
  const difference = firstDifference(normalizeRows(expected ?? []), normalizeRows(found ?? []))
  if (difference !== undefined) {
    console.log(`DIFFERENCE ${question.id}: ${difference}`)
    process.exitCode = 1
  }
  for (let round = 0; round < rounds + 2; round++) {
    for (const [index, run] of runs.entries()) {
      const into = times[index]
      // The first two rounds compile.
      if (into !== undefined) await take(run, round < 2 ? { wallMs: [], processorMs: [] } : into)
    }
  }
  const [alone, shared] = times
  if (alone === undefined || shared === undefined) continue
  const walls = [median(alone.wallMs), median(shared.wallMs)] as const
  const cores = [median(alone.processorMs), median(shared.processorMs)] as const
  const cells = [
    question.id.padEnd(4),
    ...walls.map((ms) => ms.toFixed(2).padStart(8)),
    `${(walls[0] / walls[1]).toFixed(2)}×`.padStart(7),
    '|                ',
    ...cores.map((ms) => ms.toFixed(2).padStart(7)),
    `${(cores[1] / cores[0]).toFixed(2)}×`.padStart(6),
    `| ${question.title}`,
  ]
  console.log(cells.join(' '))
}
await helpers.close()
