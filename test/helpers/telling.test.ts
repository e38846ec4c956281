import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { afterAll, describe, expect, test } from 'vitest'
import type { OfferedWork } from '../../src/backends/columnar/index.ts'
import { Budget, present } from '../../src/base/index.ts'
import { HelperLinks } from '../../src/helpers/index.ts'
import { POSTED_WORD, takePiece, type FromHelper, type ToHelper, type ToldWork } from '../../src/helpers/protocol.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'

const SEGMENTS = 20

const store = createMemoryStore(standardCatalog)
const table = store.table('logs')
for (let i = 0; i < SEGMENTS; i++) {
  table.appendJsonLines(Buffer.from(`{"_time":"2026-01-01T00:00:${10 + i}Z","content":"request ${i}"}\n`), {
    nowNs: 0n,
  })
  table.seal()
}
const budget = new Budget({ memoryBytes: 1e9, timeoutMs: 60_000, scanRows: 1e9 }, () => 0)
const offered = (leftMs: number): OfferedWork => ({
  task: () => ({}),
  segments: table.snapshot(),
  pieceCount: SEGMENTS,
  nextPiece: 1,
  pass: 0,
  budget,
  leftMs,
})

test('segments are told of when a query is long, or when many queries have gone without', () => {
  const links = new HelperLinks([new MessageChannel().port1], { leastMs: 1 })
  const isShared = (leftMs: number): boolean => {
    const work = links.share(offered(leftMs))
    work?.end()
    return work !== undefined
  }
  const asked = Array.from({ length: SEGMENTS }, () => isShared(2))
  const first = asked.indexOf(true)
  expect(first).toBeGreaterThan(0)
  expect(asked.slice(first)).not.toContain(false)

  table.appendJsonLines(Buffer.from('{"_time":"2026-01-01T00:01:00Z","content":"one more"}\n'), { nowNs: 0n })
  table.seal()
  expect(isShared(2)).toBe(true)
  links.close()
})

test('a long query has them told at once', () => {
  const links = new HelperLinks([new MessageChannel().port1], { leastMs: 1 })
  const work = links.share(offered(1000))
  expect(work).toBeDefined()
  work?.end()
  links.close()
})

test('where telling is not worth it, the task is not made', () => {
  const links = new HelperLinks([new MessageChannel().port1], { leastMs: 1 })
  let made = 0
  const task = (): unknown => ({ made: made++ })
  expect(links.share({ ...offered(2), task })).toBeUndefined()
  expect(made).toBe(0)
  links.share({ ...offered(1000), task })?.end()
  expect(made).toBe(1)
  links.close()
})

test('a list that was told goes by its numbers, without a look at each segment', () => {
  const links = new HelperLinks([new MessageChannel().port1], { leastMs: 1 })
  const segments = [...table.snapshot()]
  const [first] = segments
  let looks = 0
  Object.defineProperty(segments, 0, { get: () => (looks++, first) })
  links.share({ ...offered(1000), segments })?.end()
  expect(looks).toBeGreaterThan(0)
  looks = 0
  const again = links.share({ ...offered(1000), segments })
  expect(again).toBeDefined()
  expect(looks).toBe(0)
  again?.end()
  links.close()
})

describe('whoever asked', () => {
  const { port1, port2 } = new MessageChannel()
  const links = new HelperLinks([port1], { leastMs: 0 })
  afterAll(() => links.close())

  /** The work as another thread is told of it. */
  function toldWork(): { readonly id: number; readonly work: ToldWork } {
    for (let told = receiveMessageOnPort(port2); told !== undefined; told = receiveMessageOnPort(port2)) {
      const message = told.message as ToHelper
      if (message.kind === 'work') return message
    }
    throw new Error('no work was told')
  }

  test('has at once what was posted, without a turn of the event loop', () => {
    const shared = present(links.share(offered(1000)))
    const { id, work } = toldWork()
    expect(takePiece(work, 0)).toBe(1)
    expect(shared.isWaiting).toBe(true)
    const answer: FromHelper = { id, pass: 0, pieces: [1], part: 'found', workedMs: 1 }
    port2.postMessage(answer, [])
    Atomics.add(work.control, POSTED_WORD, 1)
    shared.settle(60_000)
    expect([shared.isWaiting, shared.given()]).toEqual([false, { pieces: [1], part: 'found', workedMs: 1 }])
    shared.end()
  })

  test('is not held for longer than it allows', () => {
    const shared = present(links.share(offered(1000)))
    takePiece(toldWork().work, 0)
    shared.settle(3)
    expect([shared.isWaiting, shared.given()]).toEqual([true, undefined])
    shared.end()
  })

  test('waits for nobody who comes when no piece is left', () => {
    const shared = present(links.share(offered(1000)))
    const { work } = toldWork()
    while (shared.next() !== undefined);
    expect(takePiece(work, 0)).toBeUndefined()
    expect(shared.isWaiting).toBe(false)
    shared.end()
  })
})
