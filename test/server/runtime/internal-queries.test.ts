import { expect, test } from 'vitest'
import type { ServerContext } from '../../../src/server/routes/definition/context.ts'
import type { InternalQuery } from '../../../src/server/routes/definition/internal-query.ts'
import { InternalQueries, type QueryClock } from '../../../src/server/runtime/internal-queries.ts'

const EVERYTHING = { roles: undefined, scope: undefined }

/** A clock that the test advances; it runs the timers that fall due. */
class HandClock implements QueryClock {
  #nowMs = 0
  #timers: { readonly atMs: number; readonly run: () => void }[] = []

  nowMs(): number {
    return this.#nowMs
  }

  schedule(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, run }
    this.#timers.push(timer)
    return () => void (this.#timers = this.#timers.filter((each) => each !== timer))
  }

  async moveTo(ms: number): Promise<void> {
    this.#nowMs = ms
    for (const timer of this.#timers.filter(({ atMs }) => atMs <= ms)) {
      this.#timers = this.#timers.filter((each) => each !== timer)
      timer.run()
    }
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }

  get waiting(): number {
    return this.#timers.length
  }
}

/**
 * Runs a query that ends only when it is interrupted, with a time limit of `withinMs`. Returns a function that reads
 * its error, if any.
 */
function runEndless(clock: QueryClock, withinMs: number): { readonly error: () => unknown } {
  const query: InternalQuery<unknown, never> = {
    name: 'endless',
    summary: '',
    read: (request) => request,
    run: (_, { signal }) =>
      new Promise((_done, fail) => signal?.addEventListener('abort', () => fail(new Error('interrupted')))),
  }
  const queries = new InternalQueries({} as ServerContext, 'default', new AbortController().signal, clock)
  let found: unknown
  queries.run(query, null, EVERYTHING, withinMs).catch((error: unknown) => (found = error))
  return { error: () => found }
}

test.each([
  ['the interval of its monitor', 1000, 1000, 'the queries took longer than 1 s'],
  ['30 s', 60_000, 30_000, 'the queries took longer than 30 s'],
])('a query ends within %s', async (_, withinMs, endMs, message) => {
  const clock = new HandClock()
  const run = runEndless(clock, withinMs)
  await clock.moveTo(endMs - 1)
  expect(run.error()).toBeUndefined()
  await clock.moveTo(endMs)
  expect(run.error()).toMatchObject({ message })
  expect(clock.waiting).toBe(0)
})

test('a query that met a fault that may pass is repeated within the interval only', async () => {
  for (const [withinMs, attempts] of [
    [1000, 1],
    [2000, 2],
    [60_000, 3],
  ] as const) {
    const clock = new HandClock()
    let count = 0
    const query: InternalQuery<unknown, string> = {
      name: 'away',
      summary: '',
      read: (request) => request,
      run: () => Promise.resolve(`away ${++count}`),
      isTemporary: () => true,
    }
    const queries = new InternalQueries({} as ServerContext, 'default', new AbortController().signal, clock)
    let answer: string | undefined
    void queries.run(query, null, EVERYTHING, withinMs).then((text) => (answer = text))
    for (const ms of [0, 1000, 4000, 10_000]) await clock.moveTo(ms)
    expect([withinMs, answer]).toEqual([withinMs, `away ${attempts}`])
    expect(clock.waiting).toBe(0)
  }
})
