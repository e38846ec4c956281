// @module-tag slow
import { getPriority } from 'node:os'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { SluiceError } from '../../src/base/index.ts'
import {
  WholeBody,
  WorkerPool,
  isStream,
  type Body,
  type PooledAnswer,
  type StreamBody,
} from '../../src/workers/index.ts'
import type { Play } from './playful-worker.ts'

let told = 'first'
const lost: string[] = []
let pool: WorkerPool

function newPool(workers: number): WorkerPool {
  return new WorkerPool({
    entry: new URL('./playful-worker.ts', import.meta.url),
    data: 'start',
    workers,
    heapMiB: 24,
    told: () => ({ what: told, transfer: [] }),
    onLost: (why) => lost.push(why),
  })
}

interface Asking {
  readonly key?: string
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

function ask(play: Play, { key = 'a', signal = new AbortController().signal, timeoutMs = 60_000 }: Asking = {}) {
  return pool.answer({ key, request: play, signal, timeoutMs })
}

/** Each piece of a body as it was when it was given. */
async function piecesOf(body: Body): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  if (!isStream(body) && !(body instanceof WholeBody)) return pieces
  for (let piece = await body.next(); piece !== undefined; piece = await body.next())
    pieces.push(new Uint8Array(Buffer.from(piece as Uint8Array)))
  return pieces
}

const lengthOf = async (body: Body): Promise<number> =>
  (await piecesOf(body)).reduce((sum, { byteLength }) => sum + byteLength, 0)

async function text(answer: Promise<PooledAnswer>): Promise<string> {
  const { body } = await answer
  return typeof body === 'string' ? body : Buffer.concat(await piecesOf(body)).toString()
}

async function codeOf(answer: Promise<unknown>): Promise<string> {
  try {
    await answer
  } catch (error) {
    return error instanceof SluiceError ? error.code : String(error)
  }
  return 'answered'
}

const echo = (word: string, key = 'other'): Promise<string> => text(ask({ do: 'echo', text: word }, { key }))

beforeAll(() => {
  pool = newPool(1)
})
afterAll(() => pool.close())

describe('answers', () => {
  test('come whole, with what the worker was told before it was asked', async () => {
    const { head, body } = await ask({ do: 'echo', text: 'hello' })
    expect(Buffer.concat(await piecesOf(body)).toString()).toBe('hello')
    expect(head.status).toBe(200)
    told = 'second'
    pool.tellAll()
    const { head: later } = await ask({ do: 'echo', text: '' })
    expect(later.headers['x-told']).toBe('"start" first second')
  })

  test('come in pieces no faster than they are read', async () => {
    const { body } = await ask({ do: 'stream', chunks: 100 })
    await echo('meanwhile')
    const made = Number(await text(ask({ do: 'made' })))
    expect(made).toBeLessThan(8)
    expect(await lengthOf(body)).toBe(100 * 65_536)
    expect(isStream(body) && body.failure).toBe(undefined)
  })

  test('that break off fail for their reader, after what came', async () => {
    const { body } = await ask({ do: 'stream', chunks: 9, breaksAt: 2 })
    const stream = body as StreamBody
    const pieces = [await stream.next(), await stream.next()]
    expect(pieces.map((piece) => piece?.length)).toEqual([65_536, 65_536])
    await expect(stream.next()).rejects.toThrow('broke off')
    expect(stream.failure).toBeInstanceOf(Error)
  })

  test('that nobody reads on stop', async () => {
    const before = Number(await text(ask({ do: 'made' })))
    const { body } = await ask({ do: 'stream', chunks: 1000 })
    ;(body as StreamBody).cancel()
    await echo('meanwhile')
    expect(Number(await text(ask({ do: 'made' }))) - before).toBeLessThan(10)
  })
})

describe('what does not answer', () => {
  test('a worker that hears of the end stays', async () => {
    const controller = new AbortController()
    const slept = text(ask({ do: 'sleep', ms: 10_000 }, { signal: controller.signal }))
    await echo('meanwhile')
    controller.abort()
    expect(await slept).toBe('stopped')
    expect(lost).toEqual([])
  })

  test('one that looks up at nothing is ended after its deadline, and another takes its place', async () => {
    expect(await codeOf(ask({ do: 'spin', ms: 60_000 }, { timeoutMs: 50 }))).toBe('budget/deadline')
    expect(lost.splice(0)).toEqual(['unanswered'])
    expect(await echo('next')).toBe('next')
  })

  test('one job alone is at what holds its worker: it is not begun elsewhere, however long its time is', async () => {
    const begun = new Int32Array(new SharedArrayBuffer(4))
    expect(await codeOf(ask({ do: 'spin', ms: 60_000, begun }, { timeoutMs: 400 }))).toBe('budget/deadline')
    expect(begun[0]).toBe(1)
    expect(lost.splice(0)).toEqual(['unanswered'])
  })

  test('or after the one that its query says, when that is shorter', async () => {
    const spun = ask({ do: 'spin', ms: 60_000, limitMs: 80 })
    await expect(spun).rejects.toThrow('The query ran longer than its time limit of 80 ms.')
    expect(lost.splice(0)).toEqual(['unanswered'])
  })

  test('and after a cancel', async () => {
    await echo('a worker is there')
    const controller = new AbortController()
    const begun = new Int32Array(new SharedArrayBuffer(4))
    const spun = codeOf(ask({ do: 'spin', ms: 60_000, begun }, { signal: controller.signal }))
    await expect.poll(() => begun[0], { interval: 5 }).toBe(1)
    controller.abort()
    expect(await spun).toBe('budget/cancelled')
    expect(lost.splice(0)).toEqual(['unanswered'])
  })

  test('what was cancelled before it began never runs', async () => {
    expect(await codeOf(ask({ do: 'eat' }, { signal: AbortSignal.abort() }))).toBe('budget/cancelled')
    expect(lost).toEqual([])
  })

  test('others are served meanwhile, also with a single worker', async () => {
    const until = new Int32Array(new SharedArrayBuffer(4))
    const spun = codeOf(ask({ do: 'spin', ms: 60_000, until }))
    let isSpinning = true
    void spun.then(() => (isSpinning = false))
    for (let i = 0; i < 5; i++) expect(await echo(`word ${i}`)).toBe(`word ${i}`)
    expect(isSpinning).toBe(true)
    Atomics.store(until, 0, 1)
    expect(await spun).toBe('answered')
  })

  test('who has no long jobs does not take turns with those of another', async () => {
    const controller = new AbortController()
    const threadOf = async (key: string): Promise<string | undefined> =>
      (await ask({ do: 'echo', text: '' }, { key })).head.headers['x-thread']
    const usual = await threadOf('light')
    const churning = [1, 2].map(() => codeOf(ask({ do: 'churn' }, { key: 'heavy', signal: controller.signal })))
    let now = usual
    for (let tries = 0; now === usual && tries < 400; tries++) now = await threadOf('light')
    expect(now).not.toBe(usual)
    expect(await threadOf('other')).not.toBe(usual)
    controller.abort()
    expect(await Promise.all(churning)).toEqual(['answered', 'answered'])
    expect(lost).toEqual([])
  })

  test.runIf(process.platform === 'linux')('the threads that all share get a core after the one to spare', async () => {
    const behind = async (key: string): Promise<number> => {
      const { head } = await ask({ do: 'echo', text: '' }, { key })
      return Number(head.headers['x-behind']) - getPriority()
    }
    expect(await behind('unknown')).toBe(5)
    expect(await behind('unknown')).toBe(0)
    const spun = codeOf(ask({ do: 'spin', ms: 60_000 }, { key: 'heavy', timeoutMs: 50 }))
    expect(await spun).toBe('budget/deadline')
    expect(lost.splice(0)).toEqual(['unanswered'])
    expect(await behind('another')).toBe(5)
  })

  test('what waits in a silent worker begins anew in another', async () => {
    const slept = text(ask({ do: 'sleep', ms: 100 }, { key: 'b' }))
    await echo('begun')
    let isSpinning = true
    const until = new Int32Array(new SharedArrayBuffer(4))
    const spun = codeOf(ask({ do: 'spin', ms: 60_000, until })).finally(() => (isSpinning = false))
    expect(await slept).toBe('slept')
    expect(isSpinning).toBe(true)
    Atomics.store(until, 0, 1)
    expect(await spun).toBe('answered')
    expect(lost).toEqual([])
  })

  test('what ran beside it runs again elsewhere', async () => {
    const slept = text(ask({ do: 'sleep', ms: 300 }, { key: 'b' }))
    await echo('begun')
    const spun = codeOf(ask({ do: 'spin', ms: 60_000 }, { timeoutMs: 50 }))
    expect(await spun).toBe('budget/deadline')
    expect(await slept).toBe('slept')
    expect(lost.splice(0)).toEqual(['unanswered'])
  })

  test('but not when its own time is over, so that one worker is lost', async () => {
    // Both of one key that nothing is known of, so that they share a worker.
    const key = 'beside'
    const late = codeOf(ask({ do: 'sleep', ms: 60_000 }, { key, timeoutMs: 150 }))
    const spun = codeOf(ask({ do: 'spin', ms: 60_000 }, { key, timeoutMs: 150 }))
    expect(await Promise.all([late, spun])).toEqual(['budget/deadline', 'budget/deadline'])
    expect(lost.splice(0)).toEqual(['unanswered'])
  })
})

describe('what takes the worker along', () => {
  test('memory: the cause is told, others are answered', async () => {
    const sleeping = Array.from({ length: 2 }, (_, i) => text(ask({ do: 'sleep', ms: 200 }, { key: `s${i}` })))
    expect(await codeOf(ask({ do: 'eat' }))).toBe('budget/memory')
    expect(await Promise.all(sleeping)).toEqual(['slept', 'slept'])
    expect(new Set(lost.splice(0))).toEqual(new Set(['memory']))
    expect(await echo('after')).toBe('after')
  })

  test('memory outside the heap: likewise, though nothing there looks up', async () => {
    const slept = text(ask({ do: 'sleep', ms: 200 }, { key: 's' }))
    expect(await codeOf(ask({ do: 'hoard' }))).toBe('budget/memory')
    expect(await slept).toBe('slept')
    expect(new Set(lost.splice(0))).toEqual(new Set(['memory']))
    expect(await echo('after')).toBe('after')
  })

  test('an error of its own: tried again once', async () => {
    expect(await codeOf(ask({ do: 'throw' }))).toBe('engine/worker-lost')
    expect(lost.splice(0)).toEqual(['crash', 'crash'])
    expect(await echo('after')).toBe('after')
  })
})

test('a pause of the process, however long, is not held against the workers', async () => {
  const paused: string[] = []
  const patient = new WorkerPool({
    entry: new URL('./playful-worker.ts', import.meta.url),
    data: 'start',
    workers: 1,
    heapMiB: 24,
    graceMs: 60_000,
    told: () => ({ what: '', transfer: [] }),
    onLost: (why) => paused.push(why),
  })
  const controller = new AbortController()
  const [begun, until] = [1, 2].map(() => new Int32Array(new SharedArrayBuffer(4))) as [Int32Array, Int32Array]
  const request: Play = { do: 'spin', ms: 600_000, begun, until }
  const spun = codeOf(patient.answer({ key: 'a', request, signal: controller.signal, timeoutMs: 600_000 }))
  await expect.poll(() => begun[0], { interval: 5 }).toBe(1)
  controller.abort()
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_600_000)
  onTestFinished(() => clock.mockRestore())
  // Several looks at the worker, unless it is lost.
  await expect.poll(() => clock.mock.calls.length > 20 || paused.length > 0).toBe(true)
  Atomics.store(until, 0, 1)
  expect(await spun).toBe('answered')
  expect(paused).toEqual([])
  await patient.close()
})

test('when nobody asks, it is told once all threads are ready, the one to spare too', async () => {
  const readyAt: number[] = []
  const resting = new WorkerPool({
    entry: new URL('./playful-worker.ts', import.meta.url),
    data: 'start',
    workers: 1,
    heapMiB: 24,
    told: () => ({ what: '', transfer: [] }),
    onRest: () => readyAt.push(resting.readyWorkers),
  })
  await expect.poll(() => readyAt.length).toBeGreaterThan(0)
  expect(readyAt[0]).toBe(2)
  await resting.close()
})

describe('where one thread is started at first', () => {
  let small: WorkerPool
  let started: number
  const growing = (workers: number): WorkerPool => {
    started = 0
    return new WorkerPool({
      entry: new URL('./playful-worker.ts', import.meta.url),
      data: 'start',
      workers,
      atFirst: 1,
      heapMiB: 24,
      told: () => {
        started++
        return { what: '', transfer: [] }
      },
    })
  }
  const sleep = (): Promise<string> => {
    const request: Play = { do: 'sleep', ms: 60_000 }
    const { signal } = new AbortController()
    return codeOf(small.answer({ key: 'a', request, signal, timeoutMs: 60_000 }))
  }

  test('the others come when nobody asks, the one to spare last', async () => {
    small = growing(2)
    expect(started).toBe(1)
    const startedWhen: number[] = []
    const readyWorkers = (): number => {
      startedWhen[small.readyWorkers] ??= started
      return small.readyWorkers
    }
    await expect.poll(readyWorkers, { interval: 1 }).toBe(3)
    expect(startedWhen).toEqual([1, 1, 2, 3])
    await small.close()
  })

  test('one long job does not keep them away, two do not wait for a pause', async () => {
    small = growing(3)
    const slept = [sleep()]
    expect(started).toBe(1)
    await expect.poll(() => small.readyWorkers).toBe(3)
    await small.close()
    small = growing(3)
    slept.push(sleep())
    expect(started).toBe(1)
    slept.push(sleep())
    expect(started).toBe(3)
    await small.close()
    expect(await Promise.all(slept)).toEqual(['engine/worker-lost', 'budget/cancelled', 'budget/cancelled'])
  })
})

test('so many jobs run at a time, fewer of one key; who waits too long for a place is refused', async () => {
  const small = new WorkerPool({
    entry: new URL('./playful-worker.ts', import.meta.url),
    data: 'start',
    workers: 1,
    heapMiB: 24,
    runningJobs: 3,
    runningJobsPerKey: 2,
    waitMs: 100,
    refusal: () => new Error('too late'),
    told: () => ({ what: '', transfer: [] }),
  })
  const controller = new AbortController()
  const send = (key: string, play: Play): Promise<PooledAnswer> =>
    small.answer({ key, request: play, signal: controller.signal, timeoutMs: 600_000 })
  await expect.poll(() => small.readyWorkers).toBeGreaterThan(0)
  const sleep: Play = { do: 'sleep', ms: 60_000 }
  const slept = [text(send('a', sleep)), text(send('a', sleep))]
  const late = codeOf(send('a', sleep))
  await send('b', { do: 'echo', text: 'there is a third place' })
  expect([small.running, small.runningOf('a')]).toEqual([2, 2])
  slept.push(text(send('b', sleep)))
  const later = codeOf(send('c', sleep))
  expect(small.running).toBe(3)
  expect(await late).toBe('Error: too late')
  expect(await later).toBe('Error: too late')
  controller.abort()
  expect(await Promise.all(slept)).toEqual(['stopped', 'stopped', 'stopped'])
  await small.close()
})

test('who waits for the first thread does not wait too long for a place', async () => {
  const fresh = new WorkerPool({
    entry: new URL('./playful-worker.ts', import.meta.url),
    data: 'start',
    workers: 1,
    heapMiB: 24,
    waitMs: 1,
    told: () => ({ what: '', transfer: [] }),
  })
  const request: Play = { do: 'echo', text: 'patient' }
  const signal = new AbortController().signal
  expect(await text(fresh.answer({ key: 'a', request, signal, timeoutMs: 600_000 }))).toBe('patient')
  await fresh.close()
})

test('a closed pool answers nothing', async () => {
  const other = newPool(1)
  const request: Play = { do: 'echo', text: 'late' }
  const early = codeOf(other.answer({ key: 'a', request, signal: new AbortController().signal, timeoutMs: 1000 }))
  await other.close()
  expect(await early).toBe('budget/cancelled')
  const late = other.answer({ key: 'a', request, signal: new AbortController().signal, timeoutMs: 1000 })
  expect(await codeOf(late)).toBe('engine/worker-lost')
})
