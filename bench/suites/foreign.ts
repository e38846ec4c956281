/**
 * Compares the statements that plans become with statements by an expert, for the same answers of the 33 questions on
 * the same database: `npm run bench -- foreign [--engine duckdb|postgres|sqlite] [--rows N] [--runs N] [--only
 * Q01,Q02]`. Both take turns. The minimum processor time of each question counts, the database's included, and answers
 * are compared. Both sides read all rows as JavaScript values; writing our statement is not timed. PostgreSQL is the
 * installed one.
 */
import { parseArgs } from 'node:util'
import { Budget } from '../../src/base/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { Instant, rowsOf, type RecordBatch, type Value } from '../../src/data/index.ts'
import { firstDifference, normalizeRows } from '../peers/normalize.ts'
import { fillSql, type AnswerRow } from '../peers/peer.ts'
import { questions } from '../questions.ts'
import { bind, dataFile } from '../run.ts'
import { duckdbSide } from './foreign/duckdb.ts'
import { postgresSide } from './foreign/postgres.ts'
import type { Side } from './foreign/side.ts'
import { sqliteSide } from './foreign/sqlite.ts'

const sides: Readonly<Record<string, (file: string) => Promise<Side>>> = {
  duckdb: duckdbSide,
  postgres: postgresSide,
  sqlite: sqliteSide,
}

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'duckdb' },
    rows: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    sql: { type: 'boolean', default: false },
  },
})

const options = { rows: Number(values.rows) }

const open = sides[values.engine]
if (open === undefined) throw new Error(`--engine is one of ${Object.keys(sides).join(', ')}`)
const { backend, sqlOf, promisesLess, byHand, processorMs, close } = await open(await dataFile(options))
const limits = { timeoutMs: 600_000, memoryBytes: 2 ** 31, scanRows: Infinity }
const ours = createEngine({ backends: [backend], catalog: backend.catalog, limits })

async function spentMs<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly found: T }> {
  const startMs = processorMs()
  const found = await work()
  return { ms: processorMs() - startMs, found }
}

/** Returns rows in the form of the expert's: times are nanoseconds. */
function plainRows(batches: readonly RecordBatch[]): readonly AnswerRow[] {
  const plain = (value: Value): unknown => (value instanceof Instant ? value.ns : value)
  return batches.flatMap((batch) =>
    Array.from(rowsOf(batch), (row) => Object.fromEntries([...row].map(([name, value]) => [name, plain(value)]))),
  )
}

/**
 * Short questions are repeated for this many milliseconds, as other work of the machine would otherwise distort them.
 */
const LEAST_MS = 300

const only = values.only === '' ? undefined : values.only.split(',')
const ratios: number[] = []
/** Ratios of the questions whose statement by the expert has the same guarantees as ours. */
const alike: number[] = []
for (const question of questions.filter(({ id }) => only === undefined || only.includes(id))) {
  const bound = bind(question, options)
  const query = question.query.replaceAll('$page', String(bound.page)).replaceAll('$trace', bound.trace)
  const range = question.range === undefined ? {} : { range: { startNs: bound.fromNs, endNs: bound.toNs } }
  const sql = fillSql(sqlOf(question), bound)
  const { optimized, timeRange } = ours.plan(query, range)
  let least = Infinity
  let leastByHand = Infinity
  let spent = 0
  let difference: string | undefined
  for (let run = 0; run < Number(values.runs) || spent < LEAST_MS; run++) {
    const budget = new Budget(limits, () => performance.now())
    const context = { budget, nowNs: 0n, range: timeRange, batchRows: 1024, whole: optimized }
    const prepared = backend.prepare(optimized, context)
    const own = await spentMs(async () => {
      const batches: RecordBatch[] = []
      for await (const batch of prepared.run()) batches.push(batch)
      return batches
    })
    if (values.sql && run === 0) process.stdout.write(`${prepared.explain().notes[0] ?? ''}\n-- by hand\n${sql}\n`)
    const other = await spentMs(() => byHand(sql))
    least = Math.min(least, own.ms)
    leastByHand = Math.min(leastByHand, other.ms)
    spent += own.ms + other.ms
    if (run === 0) difference = firstDifference(normalizeRows(plainRows(own.found)), normalizeRows(other.found))
  }
  const ratio = least / leastByHand
  ratios.push(ratio)
  const less = promisesLess[question.id]
  if (less === undefined) alike.push(ratio)
  const odd = difference === undefined ? '' : `  DIFFERS: ${difference}`
  process.stdout.write(
    `${question.id}  ours ${least.toFixed(1)} ms  by hand ${leastByHand.toFixed(1)} ms  ${ratio.toFixed(2)}${less === undefined ? '' : `  (by hand ${less})`}${odd}\n`,
  )
}
ratios.sort((a, b) => a - b)
const median = ratios[ratios.length >> 1] ?? NaN
process.stdout.write(
  `median ${median.toFixed(2)}, worst ${(ratios.at(-1) ?? NaN).toFixed(2)}, of the same promises ${Math.max(...alike).toFixed(2)}\n`,
)
await close()
