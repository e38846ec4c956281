import { expect, test } from 'vitest'
import { HttpFault } from '../../../src/server/errors/http-fault.ts'
import { StepwiseTask } from '../../../src/server/admission/turns.ts'

/** Milliseconds that each request takes on the test's own clock. */
const WORK_MS = 1

interface Gone {
  readonly key: string
  /** Index of the event loop turn in which the request ran. */
  readonly turn: number
}

/** Counts turns of the event loop until it is disposed of. */
function turnCounter(): Disposable & { readonly turn: number } {
  let turn = 0
  let isDone = false
  const count = (): void => {
    turn++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  return {
    get turn() {
      return turn
    },
    [Symbol.dispose]: () => {
      isDone = true
    },
  }
}

/** Submits requests with these keys within one turn of the event loop. Returns them in the order in which they ran. */
async function run(keys: readonly string[]): Promise<readonly Gone[]> {
  let nowMs = 0
  using counter = turnCounter()
  const turns = new StepwiseTask(10, () => nowMs)
  const gone: Gone[] = []
  const all: Promise<void>[] = []
  for (const key of keys) {
    const request = async (): Promise<void> => {
      await turns.turn(key)
      nowMs += WORK_MS
      gone.push({ key, turn: counter.turn })
    }
    all.push(request())
    await new Promise<void>((resolve) => process.nextTick(resolve))
  }
  await Promise.all(all)
  return gone
}

test('requests that come together take a few milliseconds of each turn', async () => {
  const gone = await run(Array.from({ length: 40 }, () => 'a'))
  const perTurn = [...Map.groupBy(gone, ({ turn }) => turn).values()].map(({ length }) => length)
  expect(perTurn).toEqual(Array.from({ length: 10 }, () => 4))
})

test('who asks once, last of all, goes before the rest of another key', async () => {
  const gone = await run([...Array.from({ length: 40 }, () => 'a'), 'b'])
  expect(gone).toHaveLength(41)
  expect(gone.findIndex(({ key }) => key === 'b')).toBeLessThan(6)
})

test('what comes alone goes at once', async () => {
  expect(new StepwiseTask(10).turn('a')).toBe(undefined)
})

test('a key has a bounded number of requests in line, others have theirs', async () => {
  let nowMs = 0
  const turns = new StepwiseTask(2, () => nowMs)
  await turns.take('a')
  nowMs += 10
  const waiting = [turns.take('a'), turns.take('a'), turns.take('b')]
  await expect(turns.take('a')).rejects.toThrow(HttpFault)
  await Promise.all(waiting)
  await turns.take('a')
})

test('requests that ask at the same moment, before any has worked, share turns too', async () => {
  let nowMs = 0
  using counter = turnCounter()
  const turns = new StepwiseTask(100, () => nowMs)
  const perTurn = new Map<number, number>()
  const request = async (): Promise<void> => {
    await turns.take('a')
    // The promise continuations of a request count as part of its work.
    for (let i = 0; i < 3; i++) await Promise.resolve()
    nowMs += WORK_MS
    perTurn.set(counter.turn, (perTurn.get(counter.turn) ?? 0) + 1)
  }
  await Promise.all(Array.from({ length: 40 }, request))
  expect([...perTurn.values()]).toEqual(Array.from({ length: 10 }, () => 4))
})
