/**
 * Compares joins and windows with DuckDB on two threads, each engine in a process of its own. Answers are compared,
 * then times and the peak memory above the loaded data. `--check` gives exit code 1 when a limit is exceeded.
 * `--threads` compares our engine with one thread and with several instead.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Engine } from '../../src/engine/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { Child } from '../child-process.ts'
import { loadLines } from '../peers/load-lines.ts'
import { firstDifference, normalizeRows } from '../peers/normalize.ts'
import { answerOf } from '../peers/own.ts'
import { compareWithThreads } from '../with-threads.ts'
import type { ChildMessage, ChildOptions, JoinEngineName } from './join/child.ts'
import { joinFiles, type JoinFiles } from './join/data.ts'
import { joinQuestions, type JoinQuestion } from './join/questions.ts'
import { verdict, type Outcome, type QuestionResult } from './join/verdict.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    times: { type: 'string', default: '9' },
    warm: { type: 'string', default: '10' },
    memory: { type: 'string', default: '512' },
    timeout: { type: 'string', default: '60000' },
    check: { type: 'boolean', default: false },
    threads: { type: 'string' },
  },
})
const MEGABYTE = 1024 * 1024

/** Questions over the same data. */
interface JoinSide {
  readonly logs: keyof JoinFiles
  readonly questions: readonly JoinQuestion[]
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** The process of an engine. A crash ends it, and the next question starts another one. */
class EngineProcess {
  readonly #options: ChildOptions
  #child: Child<ChildMessage> | undefined

  constructor(options: ChildOptions) {
    this.#options = options
  }

  async run(question: JoinQuestion): Promise<Outcome> {
    const child = (this.#child ??= await this.#start())
    const message = await child.ask(question)
    if (message.kind === 'crashed') this.#child = undefined
    return message.kind === 'loaded' ? { kind: 'crashed', how: 'spoke out of turn' } : message
  }

  async #start(): Promise<Child<ChildMessage>> {
    const child = new Child<ChildMessage>(join(import.meta.dirname, 'join/child.ts'), this.#options)
    const message = await child.next()
    if (message.kind !== 'loaded') throw new Error(`${this.#options.engine} did not load: ${JSON.stringify(message)}`)
    const megabytes = Math.round(message.residentBytes / MEGABYTE)
    print(`${this.#options.engine}: loaded in ${message.seconds.toFixed(1)} s, ${megabytes} MB resident`)
    return child
  }

  async stop(): Promise<void> {
    await this.#child?.stop()
    this.#child = undefined
  }
}

function differenceOf(own: Outcome, peer: Outcome): string | undefined {
  if (own.kind !== 'answered' || peer.kind !== 'answered') return undefined
  return firstDifference(normalizeRows(own.rows), normalizeRows(peer.rows))
}

/**
 * Runs a question on both engines. Answers of the first run are compared, and the next runs are untimed, so that code
 * is compiled as in a service. A refusal ends the question, since it would be the same again.
 */
async function askBoth(question: JoinQuestion, own: EngineProcess, peer: EngineProcess): Promise<QuestionResult> {
  const answers: { readonly own: Outcome[]; readonly peer: Outcome[] } = { own: [], peer: [] }
  const askTwo = async (): Promise<readonly [Outcome, Outcome]> => {
    const ours = await own.run(question)
    // An engine without limits would produce tens of billions of pairs.
    return [ours, question.mayBeRefused ? { kind: 'not-run' } : await peer.run(question)]
  }
  const first = await askTwo()
  const difference = differenceOf(...first)
  if (first[0].kind !== 'answered') answers.own.push(first[0])
  const rounds =
    first[0].kind !== 'answered' || difference !== undefined ? 0 : Number(values.warm) + Number(values.times)
  for (let round = 0; round < rounds; round++) {
    const [ours, theirs] = await askTwo()
    if (round >= Number(values.warm) || ours.kind !== 'answered') answers.own.push(ours)
    if (round >= Number(values.warm)) answers.peer.push(theirs)
    if (ours.kind === 'crashed') break
  }
  return { question, ...answers, first: { own: first[0], peer: first[1] }, difference }
}

const sizes = { spans: Number(values.rows), logs: Number(values.rows), smallLogs: Math.ceil(Number(values.rows) / 10) }
const files = await joinFiles({ ...sizes, seed: Number(values.seed) })
const wanted = values.only === '' ? undefined : new Set(values.only.split(','))

/** Runs all questions on both engines and returns the exceeded limits. */
async function askAll(sides: readonly JoinSide[]): Promise<readonly string[]> {
  const results: QuestionResult[] = []
  for (const { logs, questions } of sides) {
    const engine = (name: JoinEngineName): EngineProcess =>
      new EngineProcess({
        engine: name,
        spans: files.spans,
        logs: files[logs],
        memoryBytes: Number(values.memory) * MEGABYTE,
        timeoutMs: Number(values.timeout),
      })
    const [own, peer] = [engine('columnar'), engine('duckdb')]
    for (const question of questions) {
      const result = await askBoth(question, own, peer)
      results.push(result)
      print(verdict(result).line)
    }
    await own.stop()
    await peer.stop()
  }
  return results.flatMap((result) => verdict(result).broken)
}

/** Runs all questions on our engine with one thread and with several, and returns the differences. */
async function askWithThreads(sides: readonly JoinSide[], threads: number): Promise<readonly string[]> {
  const limits = { memoryBytes: Number(values.memory) * MEGABYTE, timeoutMs: Number(values.timeout) }
  const sizes = { threads, rounds: Number(values.times), warmRounds: Number(values.warm) }
  const broken: string[] = []
  for (const { logs, questions } of sides) {
    const store = createMemoryStore(standardCatalog)
    await loadLines(store.table('spans'), files.spans)
    await loadLines(store.table('logs'), files[logs])
    print(`spans and ${logs}`)
    const asked = questions
      .filter(({ mayBeRefused }) => !mayBeRefused)
      .map(({ id, title, query, table }) => ({
        id,
        title,
        of: (engine: Engine) => () => answerOf(engine.query(query, { table, limits })),
      }))
    if (!(await compareWithThreads(store, asked, sizes))) broken.push('answers of several threads differ')
  }
  return broken
}

const sides = (['smallLogs', 'logs'] as const).flatMap((logs): readonly JoinSide[] => {
  const questions = joinQuestions.filter((q) => q.logs === logs && (wanted === undefined || wanted.has(q.id)))
  return questions.length === 0 ? [] : [{ logs, questions }]
})
const broken = await (values.threads === undefined ? askAll(sides) : askWithThreads(sides, Number(values.threads)))
for (const line of broken) print(`BROKEN ${line}`)
if ((values.check || values.threads !== undefined) && broken.length > 0) process.exitCode = 1
