/** Runs the 33 questions, or others, over one store with one thread and with several in turns. */
import { parseArgs } from 'node:util'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { loadLines } from '../peers/load-lines.ts'
import { prepareOwn } from '../peers/own.ts'
import { questions } from '../questions.ts'
import { bind, dataFile } from '../run.ts'
import { compareWithThreads } from '../with-threads.ts'

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
const only = values.only.flatMap((ids) => ids.split(','))
const store = createMemoryStore(standardCatalog)
await loadLines(store.table('logs'), await dataFile({ rows }))
const [first] = questions
const asked = values.query.map((query, index) => ({ ...first, id: `own ${index + 1}`, title: query, query }))
const named = questions.filter(({ id }) => (only.length === 0 ? asked.length === 0 : only.includes(id)))
const all = [...named, ...asked].map((question) => ({
  id: question.id,
  title: question.title,
  of: (engine: Parameters<typeof prepareOwn>[0]) => prepareOwn(engine, bind(question, { rows })),
}))
const sizes = { threads: Number(values.threads), rounds: Number(values.rounds), warmRounds: 2 }
console.log(`${rows} rows`)
if (!(await compareWithThreads(store, all, sizes))) process.exitCode = 1
