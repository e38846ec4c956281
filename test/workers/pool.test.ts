// @module-tag slow
import { getPriority } from 'node:os'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { SluiceError } from '../../src/base/index.ts'
import {
  WholeBody,
  WorkerPool,
  isStream,
  type AnswerBody,
  type WorkerPoolOptions,
  type PooledAnswer,
  type StreamBody,
} from '../../src/workers/index.ts'
import { PATIENCE_MS } from '../harness/patience.ts'
import type { Play } from './playful-worker.ts'

let told = 'first'
const lost: string[] = []
let pool: WorkerPool

function newPool(options: Partial<WorkerPoolOptions> = {}): WorkerPool {
  return new WorkerPool({
    entry: new URL('./playful-worker.ts', import.meta.url),
    data: 'start',
    workers: 1,
    heapMiB: 24,
    firstMessage: () => ({ what: told, transfer: [] }),
    onLost: (why) => lost.push(why),
    ...options,
  })
}

interface AskOptions {
  readonly key?: string
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

function ask(play: Play, { key = 'a', signal = new AbortController().signal, timeoutMs = 60_000 }: AskOptions = {}) {
  return pool.answer({ key, request: play, signal, timeoutMs })
}

/** Copies each piece of a body when it arrives, since its buffer may be reused. */
async function piecesOf(body: AnswerBody): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  if (!isStream(body) && !(body instanceof WholeBody)) return pieces
  for (let piece = await body.next(); piece !== undefined; piece = await body.next())
    pieces.push(new Uint8Array(Buffer.from(piece as Uint8Array)))
  return pieces
}

const lengthOf = async (body: AnswerBody): Promise<number> =>
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
  pool = newPool({ maxWorkers: 4 })
})
beforeEach(() => expect.poll(() => pool.readyWorkers).toBeGreaterThan(1))
afterAll(() => pool.close())

describe('answers', () => {
  test('are complete, and reflect messages that the worker received before the request', async () => {
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

  test('stop when their reader stops', async () => {
    const before = Number(await text(ask({ do: 'made' })))
    const { body } = await ask({ do: 'stream', chunks: 1000 })
    ;(body as StreamBody).cancel()
    await echo('meanwhile')
    expect(Number(await text(ask({ do: 'made' }))) - before).toBeLessThan(10)
  })
})

describe('what does not answer', () => {
  test('a worker that receives the cancel stays', async () => {
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

  test('a job that is cancelled before it starts never runs', async () => {
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

  test('a job that waits for a busy worker is answered soon, by one more worker', async () => {
    const until = new Int32Array(new SharedArrayBuffer(8))
    const worked = ['a', 'b', 'c'].map((key) => codeOf(ask({ do: 'work', until }, { key })))
    expect(await echo('soon')).toBe('soon')
    Atomics.store(until, 0, 1)
    expect(await Promise.all(worked)).toEqual(['answered', 'answered', 'answered'])
    expect(lost).toEqual([])
  })
})

describe('the reserved worker', () => {
  let small: WorkerPool
  beforeEach(async () => {
    small = newPool({ maxWorkers: 3 })
    await expect.poll(() => small.readyWorkers).toBe(2)
    // The first jobs of a worker do not count as long jobs of their callers.
    await threadOf('first')
  })
  afterEach(() => small.close())

  const signal = new AbortController().signal
  const askSmall = (key: string, request: Play): Promise<PooledAnswer> =>
    small.answer({ key, request, signal, timeoutMs: 60_000 })
  const threadOf = async (key: string): Promise<string | undefined> =>
    (await askSmall(key, { do: 'echo', text: '' })).head.headers['x-thread']
  /** Occupies a worker until `end` is called. */
  const hold = (
    key: string,
  ): { readonly ended: Promise<string>; readonly end: () => void; readonly isLong: () => boolean } => {
    const until = new Int32Array(new SharedArrayBuffer(8))
    return {
      ended: codeOf(askSmall(key, { do: 'work', until })),
      end: () => void Atomics.store(until, 0, 1),
      isLong: () => Atomics.load(until, 1) === 1,
    }
  }

  test('takes the jobs of callers whose recent jobs were short while others are busy', async () => {
    const ordinary = await threadOf('short')
    const held = hold('long')
    await expect.poll(held.isLong, { timeout: PATIENCE_MS }).toBe(true)
    const reserved = await threadOf('short')
    expect(reserved).not.toBe(ordinary)
    expect(await threadOf('short')).toBe(reserved)
    held.end()
    expect(await held.ended).toBe('answered')
    const again = hold('other')
    // The caller's previous job was long, so this one waits until a third worker has started.
    expect(await threadOf('long')).not.toBe(reserved)
    again.end()
    expect(await again.ended).toBe('answered')
  })

  test('takes one job of a new caller when no other is free, and not its flood', async () => {
    await threadOf('short')
    const flood = Array.from({ length: 5 }, () => hold('flood'))
    const reserved = await threadOf('short')
    expect(await threadOf('new')).toBe(reserved)
    for (const { end } of flood) end()
    expect(new Set(await Promise.all(flood.map(({ ended }) => ended)))).toEqual(new Set(['answered']))
  })

  test('a job that turns out long there begins again on another worker', async () => {
    await threadOf('first short')
    const held = hold('long')
    const reserved = await threadOf('first short')
    const { head, body } = await askSmall('first short', { do: 'sleep', ms: 1000 })
    expect(body).toBe('slept')
    expect(head.headers['x-thread']).not.toBe(reserved)
    held.end()
    expect(await held.ended).toBe('answered')
    expect(lost).toEqual([])
  })

  test.runIf(process.platform === 'linux')('has a higher priority than the ordinary ones', async () => {
    const niceOf = async (key: string): Promise<number> => {
      const { head } = await askSmall(key, { do: 'echo', text: '' })
      return Number(head.headers['x-behind']) - getPriority()
    }
    expect(await niceOf('short')).toBe(5)
    const held = hold('long')
    expect(await niceOf('short')).toBe(0)
    held.end()
    await held.ended
  })
})

describe('what takes the worker along', () => {
  test('memory: the cause is reported, others are answered', async () => {
    const sleeping = Array.from({ length: 2 }, (_, i) => text(ask({ do: 'sleep', ms: 200 }, { key: `s${i}` })))
    // After this job the caller is known for long jobs, so none of them starts on the reserved worker, which could be
    // stopped.
    await codeOf(ask({ do: 'spin', ms: 300 }, { key: 'eats' }))
    // A busy machine may have caused that worker to be stopped.
    lost.length = 0
    expect(await codeOf(ask({ do: 'eat' }, { key: 'eats' }))).toBe('budget/memory')
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
  const patient = newPool({
    graceMs: 60_000,
    firstMessage: () => ({ what: '', transfer: [] }),
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
  // Waits until the pool has checked the worker several times, or has given it up.
  await expect.poll(() => clock.mock.calls.length > 20 || paused.length > 0).toBe(true)
  Atomics.store(until, 0, 1)
  expect(await spun).toBe('answered')
  expect(paused).toEqual([])
  await patient.close()
})

test('workers are loaded one after the other', async () => {
  let started = 0
  const growing = newPool({
    workers: 2,
    firstMessage: () => {
      started++
      return { what: '', transfer: [] }
    },
  })
  const startedWhen: number[] = []
  const readyWorkers = (): number => {
    startedWhen[growing.readyWorkers] ??= started
    return growing.readyWorkers
  }
  await expect.poll(readyWorkers, { interval: 1 }).toBe(3)
  expect(startedWhen).toEqual([1, 2, 3, 3])
  await growing.close()
})

test('one caller has at most three quarters of the ordinary workers', async () => {
  const wide = newPool({ workers: 4 })
  await expect.poll(() => wide.readyWorkers).toBe(5)
  const controller = new AbortController()
  const sleep = (key: string): Promise<PooledAnswer> =>
    wide.answer({ key, request: { do: 'sleep', ms: 60_000 }, signal: controller.signal, timeoutMs: 60_000 })
  const slept = Array.from({ length: 6 }, () => codeOf(sleep('a')))
  await expect.poll(() => [wide.running, wide.waiting]).toEqual([3, 3])
  slept.push(codeOf(sleep('b')))
  expect([wide.running, wide.waiting]).toEqual([4, 3])
  controller.abort()
  const cancelled = 'budget/cancelled'
  expect(await Promise.all(slept)).toEqual([
    ...Array.from({ length: 3 }, () => 'answered'),
    cancelled,
    cancelled,
    cancelled,
    'answered',
  ])
  await wide.close()
})

test('the number of running jobs is limited, also per key; a job that waits too long is refused', async () => {
  const small = newPool({
    workers: 3,
    runningJobs: 3,
    runningJobsPerKey: 2,
    waitMs: 100,
    refusal: () => new Error('too late'),
    firstMessage: () => ({ what: '', transfer: [] }),
  })
  const controller = new AbortController()
  const send = (key: string, play: Play): Promise<PooledAnswer> =>
    small.answer({ key, request: play, signal: controller.signal, timeoutMs: 600_000 })
  await expect.poll(() => small.readyWorkers).toBe(4)
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

test('waiting for the first thread does not count towards the queue time limit', async () => {
  const fresh = newPool({
    waitMs: 1,
    firstMessage: () => ({ what: '', transfer: [] }),
  })
  const request: Play = { do: 'echo', text: 'patient' }
  const signal = new AbortController().signal
  expect(await text(fresh.answer({ key: 'a', request, signal, timeoutMs: 600_000 }))).toBe('patient')
  await fresh.close()
})

test('a closed pool answers nothing', async () => {
  const other = newPool()
  const request: Play = { do: 'echo', text: 'late' }
  const early = codeOf(other.answer({ key: 'a', request, signal: new AbortController().signal, timeoutMs: 1000 }))
  await other.close()
  expect(await early).toBe('budget/cancelled')
  const late = other.answer({ key: 'a', request, signal: new AbortController().signal, timeoutMs: 1000 })
  expect(await codeOf(late)).toBe('engine/worker-lost')
})
