import { afterAll, expect, test } from 'vitest'
import { Job } from '../../src/workers/job.ts'
import { Seat } from '../../src/workers/seat.ts'
import type { Play } from './playful-worker.ts'

const ready = Promise.withResolvers<void>()
const begun = Promise.withResolvers<void>()
const seat = new Seat(
  { entry: new URL('./playful-worker.ts', import.meta.url), data: 'start', heapMiB: 24 },
  { onReady: () => ready.resolve(), onMessage: () => begun.resolve(), onLost: () => undefined },
)
afterAll(() => seat.end())

test('what others have worked for a job is told once, beside what its own thread has', async () => {
  await ready.promise
  const request: Play = { do: 'delegate', ms: 250 }
  const job = new Job({ key: 'a', request, signal: new AbortController().signal, timeoutMs: 60_000 })
  job.id = 1
  seat.run(job)
  await begun.promise
  const ownMs = seat.look(performance.now(), 1)
  expect(seat.othersMs).toBe(250)
  expect(ownMs).toBeLessThan(200)
  seat.look(performance.now(), 1)
  expect(seat.othersMs).toBe(0)
})
