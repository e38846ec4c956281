import { getPriority } from 'node:os'
import { receiveMessageOnPort, threadId } from 'node:worker_threads'
import { Budget } from '../../src/base/index.ts'
import type { StreamBody } from '../../src/workers/body.ts'
import { processorMs, threadNumber } from '../../src/workers/thread.ts'
import { serveJobs, startData } from '../../src/workers/serve-jobs.ts'

/** Jobs that the tests' worker can run. */
export type Play =
  | { readonly do: 'echo'; readonly text: string }
  /**
   * Uses the processor for `ms`, or until `until` is 1, whether or not it is cancelled. Adds one to `begun` at its
   * start.
   */
  | {
      readonly do: 'spin'
      readonly ms: number
      readonly limitMs?: number
      readonly begun?: Int32Array
      readonly until?: Int32Array
    }
  /**
   * Uses the processor until the first element of `until` is 1, or until it is cancelled. Sets the second element to 1
   * after 100 ms.
   */
  | { readonly do: 'work'; readonly until: Int32Array }
  | { readonly do: 'sleep'; readonly ms: number }
  | { readonly do: 'eat' }
  /** Fills buffers outside the heap without any checkpoint. */
  | { readonly do: 'hoard' }
  | { readonly do: 'throw' }
  /** Streams this many chunks of 64 KiB; `made` returns how many were produced. */
  | { readonly do: 'stream'; readonly chunks: number; readonly breaksAt?: number }
  | { readonly do: 'made' }

const told: unknown[] = []
let made = 0

class PlayfulStream implements StreamBody {
  failure: unknown
  readonly #play: Extract<Play, { do: 'stream' }>
  #next = 0

  constructor(play: Extract<Play, { do: 'stream' }>) {
    this.#play = play
  }

  async next(): Promise<Uint8Array | undefined> {
    await new Promise((resolve) => setImmediate(resolve))
    const i = this.#next++
    if (i === this.#play.breaksAt) throw new Error('broken')
    if (i >= this.#play.chunks) return undefined
    made++
    return new Uint8Array(65_536).fill(i)
  }

  cancel(): void {
    this.#next = this.#play.chunks
  }
}

serveJobs({
  onMessage: (what) => told.push(what),
  background: (port) => port.postMessage(receiveMessageOnPort(port)?.message),
  // Works until another job needs the worker.
  line: (port, isWanted) =>
    port.on('message', (word: Int32Array) => {
      Atomics.store(word, 0, 1)
      while (!isWanted());
      port.postMessage('stopped')
    }),
  answer: async (request, signal) => {
    const play = request as Play
    const head = {
      status: 200,
      headers: {
        'x-told': `${JSON.stringify(startData())} ${told.join(' ')}`,
        'x-thread': String(threadId),
        'x-behind': String(getPriority(threadNumber())),
      },
    }
    switch (play.do) {
      case 'echo':
        return { head, body: new TextEncoder().encode(play.text) }
      case 'spin':
        if (play.begun !== undefined) Atomics.add(play.begun, 0, 1)
        if (play.limitMs !== undefined) {
          const limits = { memoryBytes: Infinity, scanRows: Infinity, timeoutMs: play.limitMs }
          new Budget(limits, () => performance.now(), signal).checkpoint()
        }
        for (const end = performance.now() + play.ms; performance.now() < end;)
          if (play.until !== undefined && Atomics.load(play.until, 0) === 1) break
        return { head, body: null }
      case 'work': {
        const limits = { memoryBytes: Infinity, scanRows: Infinity, timeoutMs: 60_000 }
        const budget = new Budget(limits, () => performance.now(), signal)
        const startMs = processorMs()
        let nextMs = performance.now()
        try {
          while (Atomics.load(play.until, 0) === 0) {
            budget.checkpoint()
            if (performance.now() < nextMs) continue
            nextMs += 10
            if (processorMs() - startMs > 100) Atomics.store(play.until, 1, 1)
          }
        } catch {
          return { head, body: 'stopped' }
        }
        return { head, body: null }
      }
      case 'sleep':
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, play.ms)
          signal.addEventListener('abort', () => {
            clearTimeout(timer)
            resolve()
          })
        })
        return { head, body: signal.aborted ? 'stopped' : 'slept' }
      case 'eat': {
        const eaten: unknown[] = []
        for (;;) eaten.push(Array.from({ length: 1000 }, (_, i) => ({ i })))
      }
      case 'hoard':
        for (const kept: Uint8Array[] = []; ; kept.push(new Uint8Array(2 ** 20).fill(1)))
          for (const end = performance.now() + 2; performance.now() < end;);
      case 'throw':
        setImmediate(() => {
          throw new Error('on purpose')
        })
        return new Promise(() => undefined)
      case 'stream':
        return { head, body: new PlayfulStream(play) }
      case 'made':
        return { head, body: String(made) }
    }
  },
})
