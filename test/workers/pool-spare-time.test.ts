import { MessageChannel } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WorkerPool, cores } from '../../src/workers/index.ts'
import type { Play } from './playful-worker.ts'

let pool: WorkerPool
beforeAll(async () => {
  pool = new WorkerPool({
    entry: new URL('./playful-worker.ts', import.meta.url),
    data: undefined,
    workers: 2,
    heapMiB: 64,
    firstMessage: () => ({ what: undefined, transfer: [] }),
  })
  await vi.waitUntil(() => pool.readyWorkers === 3, { timeout: 60_000 })
})
afterAll(() => pool.close())

/** Runs a job for a caller. By default the caller is known for long jobs and does not get the reserved worker. */
function ask(play: Play, key = 'long'): Promise<unknown> {
  const request = { key, request: play, signal: new AbortController().signal, timeoutMs: 60_000 }
  return pool.answer(request)
}

const idleWorkers = (): number => pool.idle.filter((worker) => worker !== 0).length

/** Occupies a worker. The returned function ends the job. */
async function busy(key?: string): Promise<() => Promise<unknown>> {
  const words = new Int32Array(new SharedArrayBuffer(8))
  const spun = ask({ do: 'spin', ms: 60_000, begun: words.subarray(0, 1), until: words.subarray(1) }, key)
  await expect.poll(() => Atomics.load(words, 0)).toBe(1)
  return () => {
    Atomics.store(words, 1, 1)
    return spun
  }
}

function background(task: string): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  port1.once('message', resolve)
  port1.once('close', () => resolve('closed'))
  port1.postMessage(task)
  pool.background(port2)
  return promise.finally(() => port1.close())
}

test.runIf(cores() > 1)(
  'ordinary workers without a job are named as idle, as long as fewer jobs than cores run',
  async () => {
    // One long job marks the caller as one with long jobs. The reserved worker takes this first job.
    await (
      await busy()
    )()
    await expect.poll(idleWorkers).toBe(2)
    const end = await busy()
    expect(idleWorkers()).toBe(1)
    await end()
    await expect.poll(idleWorkers).toBe(2)
  },
)

test('a background task runs on a worker, also while another one is busy', async () => {
  expect(await background('first')).toBe('first')
  const end = await busy()
  expect(await background('second')).toBe('second')
  await end()
})

test.runIf(cores() > 1)('a worker that takes morsels stops for a job', async () => {
  const [worker = 0] = pool.idle.filter((id) => id !== 0)
  const line = pool.connect(worker)
  const word = new Int32Array(new SharedArrayBuffer(4))
  const stopped = new Promise((resolve) => line.once('message', resolve))
  line.postMessage(word, [])
  await expect.poll(() => Atomics.load(word, 0)).toBe(1)
  // Three callers occupy one worker each, because a caller gets only its share of the workers.
  const ends = [await busy('first'), await busy('second'), await busy('third')]
  expect(await stopped).toBe('stopped')
  for (const end of ends) await end()
  line.close()
})

test('a line to a worker that has ended is closed', async () => {
  const line = pool.connect(1_000_000)
  await new Promise((resolve) => line.once('close', resolve))
})

test('a background task of a closed pool comes to nothing', async () => {
  await pool.close()
  expect(await background('late')).toBe('closed')
})
