// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SluiceError } from '../../src/base/index.ts'
import { WorkerPool, type PooledAnswer } from '../../src/workers/index.ts'
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
    graceMs: 100,
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

async function text(answer: Promise<PooledAnswer>): Promise<string> {
  const { body } = await answer
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : ''
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
    const { head, body, ended } = await ask({ do: 'echo', text: 'hello' })
    expect(new TextDecoder().decode(body as Uint8Array)).toBe('hello')
    expect([head.status, ended]).toEqual([200, undefined])
    told = 'second'
    pool.tellAll()
    const { head: later } = await ask({ do: 'echo', text: '' })
    expect(Object.fromEntries(later.headers)['x-told']).toBe('"start" first second')
  })

  test('come in pieces no faster than they are read', async () => {
    const { body, ended } = await ask({ do: 'stream', chunks: 100 })
    await echo('meanwhile')
    const made = Number(await text(ask({ do: 'made' })))
    expect(made).toBeLessThan(8)
    let bytes = 0
    for await (const chunk of body as ReadableStream<Uint8Array>) bytes += chunk.byteLength
    expect(bytes).toBe(100 * 65_536)
    expect(await ended).toMatchObject({ isBroken: false, hasFailed: false })
  })

  test('that break off fail for their reader, or break the connection where there is one', async () => {
    const { body, ended } = await ask({ do: 'stream', chunks: 9, breaksAt: 2 })
    await expect(new Response(body as ReadableStream).arrayBuffer()).rejects.toThrow('broke off')
    expect(await ended).toMatchObject({ isBroken: true })
    let breaks = 0
    const breakOff = async (): Promise<void> => void breaks++
    const request: Play = { do: 'stream', chunks: 9, breaksAt: 2 }
    const signal = new AbortController().signal
    const second = await pool.answer({ key: 'a', request, signal, timeoutMs: 1000, breakOff })
    expect((await new Response(second.body as ReadableStream).arrayBuffer()).byteLength).toBe(2 * 65_536)
    expect(breaks).toBe(1)
  })

  test('that nobody reads on stop', async () => {
    const before = Number(await text(ask({ do: 'made' })))
    const { body } = await ask({ do: 'stream', chunks: 1000 })
    await (body as ReadableStream).cancel()
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

  test('or after the one that its query says, when that is shorter', async () => {
    const spun = ask({ do: 'spin', ms: 60_000, limitMs: 80 })
    await expect(spun).rejects.toThrow('The query ran longer than its time limit of 80 ms.')
    expect(lost.splice(0)).toEqual(['unanswered'])
  })

  test('and after a cancel', async () => {
    const controller = new AbortController()
    const spun = codeOf(ask({ do: 'spin', ms: 60_000 }, { signal: controller.signal }))
    setTimeout(() => controller.abort(), 30)
    expect(await spun).toBe('budget/cancelled')
    expect(lost.splice(0)).toEqual(['unanswered'])
  })

  test('what was cancelled before it began never runs', async () => {
    expect(await codeOf(ask({ do: 'eat' }, { signal: AbortSignal.abort() }))).toBe('budget/cancelled')
    expect(lost).toEqual([])
  })

  test('others are served meanwhile, also with a single worker', async () => {
    const spun = codeOf(ask({ do: 'spin', ms: 1500 }))
    let isSpinning = true
    void spun.then(() => (isSpinning = false))
    for (let i = 0; i < 5; i++) expect(await echo(`word ${i}`)).toBe(`word ${i}`)
    expect(isSpinning).toBe(true)
    expect(await spun).toBe('answered')
  })

  test('what waits in a silent worker begins anew in another', async () => {
    const slept = text(ask({ do: 'sleep', ms: 100 }, { key: 'b' }))
    await echo('begun')
    let isSpinning = true
    const spun = codeOf(ask({ do: 'spin', ms: 2500 })).finally(() => (isSpinning = false))
    expect(await slept).toBe('slept')
    expect(isSpinning).toBe(true)
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
})

describe('what takes the worker along', () => {
  test('memory: the cause is told, others are answered', async () => {
    const sleeping = Array.from({ length: 2 }, (_, i) => text(ask({ do: 'sleep', ms: 200 }, { key: `s${i}` })))
    expect(await codeOf(ask({ do: 'eat' }))).toBe('budget/memory')
    expect(await Promise.all(sleeping)).toEqual(['slept', 'slept'])
    expect(new Set(lost.splice(0))).toEqual(new Set(['memory']))
    expect(await echo('after')).toBe('after')
  })

  test('an error of its own: tried again once', async () => {
    expect(await codeOf(ask({ do: 'throw' }))).toBe('engine/worker-lost')
    expect(lost.splice(0)).toEqual(['crash', 'crash'])
    expect(await echo('after')).toBe('after')
  })
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
