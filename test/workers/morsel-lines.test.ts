import { MessageChannel, receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import { afterEach, expect, test, vi } from 'vitest'
import { Budget, present } from '../../src/base/index.ts'
import type { MorselWork } from '../../src/backends/columnar/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { MorselLines } from '../../src/workers/index.ts'
import { type SharedResult, type SharedTask, taskWord } from '../../src/workers/protocol.ts'

const SEGMENTS = 4

const table = createMemoryStore(standardCatalog).table('logs')
for (let i = 0; i < SEGMENTS; i++) {
  table.writer.appendJsonLines(Buffer.from(`{"_time":"2026-01-01T00:00:1${i}Z","content":"request ${i}"}\n`), {
    nowNs: 0n,
  })
  table.seal()
}

const open: (() => void)[] = []
afterEach(() => {
  vi.restoreAllMocks()
  for (const close of open.splice(0)) close()
})

/** Creates connections to simulated workers; the test holds the workers' ends. */
function withWorkers(...ids: readonly number[]) {
  const idle = new Int32Array(new SharedArrayBuffer(ids.length * 4))
  idle.set(ids)
  const ends = new Map<number, MessagePort>()
  const worked: number[] = []
  const connect = (worker: number): MessagePort => {
    const { port1, port2 } = new MessageChannel()
    ends.set(worker, port2)
    return port1
  }
  const lines = new MorselLines({ idle, connect }, { onWorked: (ms) => worked.push(ms) })
  open.push(() => lines.close())
  const received = (worker: number): SharedTask => {
    const end = present(ends.get(worker), 'a connected worker')
    return present(receiveMessageOnPort(end), 'a message').message as SharedTask
  }
  const send = (worker: number, task: SharedTask, result: Partial<SharedResult>): void => {
    const { id, helper, control } = task
    const message: SharedResult = { id, helper, morsels: [], partial: undefined, workedMs: 1, ...result }
    present(ends.get(worker)).postMessage(message, [])
    Atomics.add(control, taskWord.sentResults, 1)
  }
  return { lines, idle, ends, worked, received, send }
}

function offered(nowMs = (): number => 0): MorselWork & { readonly budget: Budget } {
  const budget = new Budget({ memoryBytes: 1e9, timeoutMs: 60_000, scanRows: 1e9 }, nowMs)
  return { task: () => ({}), segments: table.view.snapshot(), morselCount: SEGMENTS, firstMorsel: 1, budget }
}

/** Takes a morsel as a worker would. */
function take({ control, helper }: SharedTask): number {
  Atomics.add(control, taskWord.heartbeats + helper, 1)
  return Atomics.add(control, taskWord.next, 1)
}

test('a worker gets the task once it is idle, with segments that it does not know', () => {
  const { lines, idle, ends, received } = withWorkers(0, 7)
  const work = present(lines.share(offered()))
  expect(work.next()).toBe(1)
  expect([...ends.keys()]).toEqual([7])
  const first = received(7)
  expect(first).toMatchObject({ morselCount: SEGMENTS, helper: 0 })
  expect(first.news.segments).toHaveLength(SEGMENTS)
  Atomics.store(idle, 0, 9)
  expect(work.next()).toBe(2)
  expect(received(9)).toMatchObject({ helper: 1 })
  expect(receiveMessageOnPort(present(ends.get(7)))).toBeUndefined()
  work.end()
  const again = present(lines.share(offered()))
  again.next()
  expect(received(7).news.segments).toHaveLength(0)
  again.end()
})

test('no thread can take a task that cannot be sent', () => {
  const { lines, ends } = withWorkers(7)
  expect(lines.hasIdle).toBe(true)
  expect(lines.share({ ...offered(), task: () => undefined })).toBeUndefined()
  expect(ends.size).toBe(0)
})

test('results are received without a turn of the event loop, and their time counts', () => {
  const { lines, worked, received, send } = withWorkers(7)
  const work = present(lines.share(offered()))
  work.next()
  const task = received(7)
  expect(take(task)).toBe(2)
  send(7, task, { morsels: [2], partial: 'found', workedMs: 4 })
  work.settle()
  expect(work.received()).toEqual({ morsels: [2], partial: 'found', workedMs: 4 })
  expect([work.received(), worked]).toEqual([undefined, [4]])
  work.end()
  expect(Atomics.load(task.control, taskWord.stop)).toBe(1)
})

test('a worker that has taken no morsel is not awaited', () => {
  const { lines } = withWorkers(7)
  const work = present(lines.share(offered()))
  while (work.next() !== undefined);
  work.settle()
  expect(work.received()).toBeUndefined()
  work.end()
})

test('a worker without a heartbeat is lost', () => {
  let nowMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 400))
  const { lines, received, send } = withWorkers(7)
  const work = present(lines.share(offered()))
  work.next()
  const task = received(7)
  take(task)
  work.settle()
  send(7, task, { morsels: [2], partial: 'too late' })
  work.settle()
  expect(work.received()).toBeUndefined()
  work.end()
})

test('a query that waits for results ends at its deadline and when it is cancelled', () => {
  let nowMs = 0
  const { lines, received } = withWorkers(7)
  const late = offered(() => (nowMs += 30_000))
  const work = present(lines.share(late))
  work.next()
  take(received(7))
  expect(() => work.settle()).toThrow('time limit')
  work.end()
  const cancelled = offered()
  const other = present(lines.share(cancelled))
  other.next()
  const task = received(7)
  take(task)
  cancelled.budget.cancel()
  expect(Atomics.load(task.control, taskWord.stop)).toBe(1)
  expect(() => other.settle()).toThrow('cancelled')
  other.end()
})

test('helpers get a quarter of the memory that the query has left', () => {
  const { lines, received } = withWorkers(7, 8)
  const work = offered()
  work.budget.charge(2e8)
  present(lines.share(work)).next()
  expect(received(7).limits.memoryBytes).toBe(1e8)
  expect(received(8).limits.memoryBytes).toBe(1e8)
})
