import type { MessagePort } from 'node:worker_threads'
import { Budget, runWithBudget } from '../base/index.ts'
import { morselJob, type MorselJob } from '../backends/columnar/index.ts'
import { SegmentReceiver, type OpenStored } from '../store/index.ts'
import { type SharedResult, type SharedTask, taskWord } from './protocol.ts'
import { processorMs } from './thread.ts'

/** Returns the buffers in plain data that are not shared with other threads. They are transferred, not copied. */
function buffersIn(plain: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (typeof plain !== 'object' || plain === null) return found
  if (ArrayBuffer.isView(plain)) {
    if (plain.buffer instanceof ArrayBuffer) found.add(plain.buffer)
  } else if (Array.isArray(plain)) {
    // Lists of primitive values contain no buffers.
    if (typeof plain[0] === 'object') for (const each of plain) buffersIn(each, found)
  } else for (const each of Object.values(plain)) buffersIn(each, found)
  return found
}

/**
 * Computes morsels of another thread's operator until none is left or this thread has a message. Returns `undefined` if
 * it took none.
 */
function takePart(work: SharedTask, receiver: SegmentReceiver, isWanted: () => boolean): SharedResult | undefined {
  const { id, helper, task, segments, control, morselCount, limits } = work
  const heartbeat = taskWord.heartbeats + helper
  const morsels: number[] = []
  let takesPart = false
  const isOver = (): boolean =>
    isWanted() || Atomics.load(control, taskWord.stop) !== 0 || Atomics.load(control, taskWord.next) >= morselCount
  const next = (): number | undefined => {
    if (isOver()) return undefined
    // From here on the query waits for this thread's result.
    takesPart = true
    Atomics.add(control, heartbeat, 1)
    const morsel = Atomics.add(control, taskWord.next, 1)
    if (morsel >= morselCount) return undefined
    morsels.push(morsel)
    return morsel
  }
  // Called at every checkpoint, so it also updates the heartbeat.
  const nowMs = (): number => {
    if (takesPart) Atomics.add(control, heartbeat, 1)
    else if (isOver()) throw new Error('the work is over before it has begun')
    return performance.now()
  }
  const beforeMs = processorMs()
  let job: MorselJob | undefined
  let partial: unknown
  try {
    if (isOver()) return undefined
    const stop = new Int32Array(control.buffer, taskWord.stop * 4, 1)
    const budget = new Budget(limits, nowMs, undefined, undefined, stop)
    partial = runWithBudget(budget, () => {
      job = morselJob(task, receiver.segments(segments), budget)
      job.run(next)
      return takesPart ? job.export() : undefined
    })
  } catch {
    // The query's own thread then computes these morsels, and meets the error itself if it recurs.
  } finally {
    job?.end().catch(() => undefined)
  }
  return takesPart ? { id, helper, morsels, partial, workedMs: processorMs() - beforeMs } : undefined
}

/**
 * Computes morsels for the queries of the thread at the other end of a channel. `isWanted` returns whether this thread
 * has other work.
 */
export function serveLine(port: MessagePort, open: OpenStored | undefined, isWanted: () => boolean): void {
  const receiver = new SegmentReceiver(open)
  port.on('message', (work: SharedTask) => {
    receiver.receive(work.news)
    const result = takePart(work, receiver, isWanted)
    if (result === undefined) return
    port.postMessage(result, [...buffersIn(result.partial)])
    Atomics.add(work.control, taskWord.sentResults, 1)
    Atomics.notify(work.control, taskWord.sentResults)
  })
}
