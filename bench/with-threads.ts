import { createEngine, type Engine } from '../src/engine/index.ts'
import type { MemoryStore } from '../src/store/memory/index.ts'
import { firstDifference, normalizeRows } from './peers/normalize.ts'
import type { AnswerRow } from './peers/peer.ts'

/** Runs one query to its last row. */
export type Ask = () => Promise<readonly AnswerRow[]>

export interface AskedOfBoth {
  readonly id: string
  readonly title: string
  readonly of: (engine: Engine) => Ask
}

export interface WithThreadsOptions {
  /** The number of threads that answer, the calling thread included. */
  readonly threads: number
  /** The number of timed runs. */
  readonly rounds: number
  /** The number of runs before the timed ones, in which code is compiled. */
  readonly warmRounds: number
}

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

/** Returns the median and the minimum. The minimum is the time with idle cores. */
function middleAndLeast(times: readonly number[]): readonly [number, number] {
  const sorted = times.toSorted((a, b) => a - b)
  return [sorted[sorted.length >> 1] ?? NaN, sorted[0] ?? NaN]
}

/** Writes `alone` and `shared`, and the first divided by the second, each as median and minimum. */
function cellsOf(alone: readonly number[], shared: readonly number[]): string {
  const [first, second] = [middleAndLeast(alone), middleAndLeast(shared)]
  const pair = ([middle, least]: readonly [number, number]): string =>
    `${middle.toFixed(1).padStart(7)} ${`(${least.toFixed(1)})`.padEnd(9)}`
  const times = `${(second[0] / first[0]).toFixed(2)}×`.padStart(6)
  const leastTimes = `(${(second[1] / first[1]).toFixed(2)}×)`
  return `${pair(first)}${pair(second)}${times} ${leastTimes}`
}

/** The times of one query with one thread and with several. */
export interface AskedByTurns {
  readonly id: string
  readonly title: string
  readonly alone: () => Promise<unknown>
  readonly shared: () => Promise<unknown>
}

/**
 * Runs a query with one thread and with several in turns, and measures wall time and the processor time of all threads.
 */
export async function compareByTurns(
  questions: readonly AskedByTurns[],
  { threads, rounds, warmRounds }: WithThreadsOptions,
): Promise<void> {
  console.log(`1 and ${threads} threads by turns, ${rounds} runs each, medians and (least); ms`)
  console.log(
    'id    clock: alone     shared           times         | processor: alone shared           times         | question',
  )
  for (const { id, title, alone, shared } of questions) {
    const one: Times = { wallMs: [], processorMs: [] }
    const several: Times = { wallMs: [], processorMs: [] }
    for (let round = 0; round < warmRounds + rounds; round++) {
      const isTimed = round >= warmRounds
      await take(alone, isTimed ? one : { wallMs: [], processorMs: [] })
      await take(shared, isTimed ? several : { wallMs: [], processorMs: [] })
    }
    const clock = cellsOf(one.wallMs, several.wallMs)
    const processor = cellsOf(one.processorMs, several.processorMs)
    console.log(`${id.padEnd(5)} ${clock} | ${processor} | ${title}`)
  }
}

/** Compares queries over one store with one thread and with several. Returns false when answers differ. */
export async function compareWithThreads(
  store: MemoryStore,
  questions: readonly AskedOfBoth[],
  options: WithThreadsOptions,
): Promise<boolean> {
  const engineOf = (threads: number): Engine =>
    createEngine({ tables: [...store.tables.values()], threads, lint: 'off' })
  const [one, several] = [engineOf(1), engineOf(options.threads)]
  const asked = questions.map(({ id, title, of }) => ({ id, title, alone: of(one), shared: of(several) }))
  let isSame = true
  for (const { id, alone, shared } of asked) {
    const difference = firstDifference(normalizeRows(await alone()), normalizeRows(await shared()))
    if (difference === undefined) continue
    console.log(`DIFFERENCE ${id}: ${difference}`)
    isSame = false
  }
  await compareByTurns(asked, options)
  await several.close()
  return isSame
}
