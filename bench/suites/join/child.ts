/** One engine of the join suite in a process of its own, which loads its tables, then answers messages. */
import { DuckDBInstance } from '@duckdb/node-api'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { SluiceError } from '../../../src/base/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import { loadLines } from '../../peers/load-lines.ts'
import { answerOf } from '../../peers/own.ts'
import { peakBytes, residentBytes, resetPeak } from '../../peers/process-memory.ts'
import type { AnswerRow } from '../../peers/peer.ts'
import type { JoinQuestion } from './questions.ts'

export type JoinEngineName = 'columnar' | 'duckdb'

export interface ChildOptions {
  readonly engine: JoinEngineName
  readonly spans: string
  readonly logs: string
  readonly memoryBytes: number
  readonly timeoutMs: number
}

/** A message of the child: the bytes of the loaded data, then one outcome for each question. */
export type ChildMessage =
  | { readonly kind: 'loaded'; readonly residentBytes: number; readonly seconds: number }
  | {
      readonly kind: 'answered'
      readonly rows: readonly AnswerRow[]
      readonly milliseconds: number
      /** The peak above the loaded data, in bytes; known for the first run only. */
      readonly extraBytes: number | undefined
    }
  | {
      readonly kind: 'refused'
      readonly code: string
      readonly milliseconds: number
      /** The peak above the loaded data, in bytes; known for the first run only. */
      readonly extraBytes: number | undefined
    }

type Run = (question: JoinQuestion) => Promise<readonly AnswerRow[]>

async function ownEngine({ spans, logs, memoryBytes, timeoutMs }: ChildOptions): Promise<Run> {
  const store = createMemoryStore(standardCatalog)
  await loadLines(store.table('spans'), spans)
  await loadLines(store.table('logs'), logs)
  const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })
  const limits = { memoryBytes, timeoutMs }
  return ({ query, table }) => answerOf(engine.query(query, { table, limits }))
}

async function duckdb({ spans, logs }: ChildOptions): Promise<Run> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
  const connection = await instance.connect()
  const keys = "peer: 'VARCHAR', hot: 'VARCHAR', hot_both: 'VARCHAR'"
  const columns = {
    spans: `_time: 'VARCHAR', trace_id: 'VARCHAR', span_id: 'VARCHAR', workload: 'VARCHAR', span_name: 'VARCHAR', duration_seconds: 'DOUBLE', ${keys}`,
    logs: `_time: 'VARCHAR', trace_id: 'VARCHAR', level: 'VARCHAR', workload: 'VARCHAR', duration_ms: 'DOUBLE', content: 'VARCHAR', ${keys}`,
  }
  for (const [name, file] of Object.entries({ spans, logs }) as ['spans' | 'logs', string][]) {
    await connection.run(`CREATE TABLE ${name} AS SELECT CAST(rtrim(_time, 'Z') AS TIMESTAMP_NS) AS t, * EXCLUDE _time
      FROM read_json('${file}', format = 'newline_delimited', columns = {${columns[name]}})`)
  }
  return async ({ sql }) => (await connection.runAndReadAll(sql)).getRowObjectsJS()
}

function send(message: ChildMessage): void {
  process.send?.(message)
}

function plainRows(rows: readonly AnswerRow[]): readonly AnswerRow[] {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
    ),
  )
}

const options = JSON.parse(process.argv[2]) as ChildOptions
const startMs = performance.now()
const run = await (options.engine === 'columnar' ? ownEngine(options) : duckdb(options))
/** The garbage of loading has been collected by now. */
const loadedBytes = residentBytes()
send({ kind: 'loaded', residentBytes: loadedBytes, seconds: (performance.now() - startMs) / 1000 })
process.on('message', (message) => {
  void answer(message as JoinQuestion)
})

const seen = new Set<string>()

/**
 * Answers a question. No garbage is collected between questions, since a service does not force it either, and it would
 * discard compiled code. So the garbage of earlier questions counts as memory of a first run.
 */
async function answer(question: JoinQuestion): Promise<void> {
  const isFirst = !seen.has(question.id)
  if (isFirst) resetPeak()
  seen.add(question.id)
  const extraBytes = (): number | undefined => (isFirst ? Math.max(0, peakBytes() - loadedBytes) : undefined)
  const startMs = performance.now()
  try {
    const rows = await run(question)
    const milliseconds = performance.now() - startMs
    send({ kind: 'answered', rows: plainRows(rows), milliseconds, extraBytes: extraBytes() })
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    const milliseconds = performance.now() - startMs
    send({ kind: 'refused', code: error.code, milliseconds, extraBytes: extraBytes() })
  }
}
