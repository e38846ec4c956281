import { columnarBackend, warmUpKeys } from '../backends/columnar/index.ts'
import { nextTurn } from '../base/index.ts'
import { standardFunctions } from '../functions/index.ts'
import { createEngine } from './engine.ts'
import { joins } from './warm-up-joins.ts'
import { searches } from './warm-up-searches.ts'

/** What is asked; what most programs ask first. */
export const warmUpParts = { searches, joins }

/** Asks one question after the other, then looks keys up, with a turn of the event loop before each step. Rejects soon after the signal aborts, in the midst of a question too. */
export async function* warmUpSteps(signal?: AbortSignal): AsyncGenerator<void> {
  for (const { questions, rounds, store } of Object.values(warmUpParts)) {
    const backend = columnarBackend(await store(signal), standardFunctions)
    const engine = createEngine({ backends: [backend], lint: 'off' })
    for (let round = 0; round < rounds; round++) {
      for (const { query, table } of questions) {
        await nextTurn()
        for await (const _ of engine.query(query, { table, signal }).batches()) continue
        yield
      }
    }
  }
  // Joins of some thousand rows have too few keys, and remember them from the first round on.
  for (const _ of warmUpKeys()) {
    await nextTurn()
    signal?.throwIfAborted()
    yield
  }
}

export interface WarmUpOptions {
  /** Ends it early, without an error. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Has this thread compile what searches, counts, groups and joins run, before somebody waits for one: the first of a process takes several times as long
 * otherwise. Asks questions of some thousand rows of its own and looks keys up, in turns, and keeps nothing; takes about 0.6 s of processor time. For programs that
 * have time at their start; answers are the same without.
 */
export async function warmUp({ signal }: WarmUpOptions = {}): Promise<void> {
  try {
    for await (const _ of warmUpSteps(signal)) continue
  } catch (error) {
    if (signal?.aborted !== true) throw error
  }
}
