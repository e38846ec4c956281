import { Budget } from '../../src/base/index.ts'
import { serveJobs, startData } from '../../src/workers/serve-jobs.ts'

/** What the worker of the tests can be asked to do. */
export type Play =
  | { readonly do: 'echo'; readonly text: string }
  /** Uses the processor without a look at anything. */
  | { readonly do: 'spin'; readonly ms: number; readonly limitMs?: number }
  | { readonly do: 'sleep'; readonly ms: number }
  | { readonly do: 'eat' }
  | { readonly do: 'throw' }
  /** So many chunks of 64 KiB, counted by `made`. */
  | { readonly do: 'stream'; readonly chunks: number; readonly breaksAt?: number }
  | { readonly do: 'made' }

const told: unknown[] = []
let made = 0

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

async function* stream(play: Extract<Play, { do: 'stream' }>): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < play.chunks; i++) {
    if (i === play.breaksAt) throw new Error('broken')
    made++
    yield new Uint8Array(65_536).fill(i)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

serveJobs({
  told: (what) => told.push(what),
  answer: async (request, signal) => {
    const play = request as Play
    const head = { status: 200, headers: [['x-told', `${JSON.stringify(startData())} ${told.join(' ')}`]] as const }
    switch (play.do) {
      case 'echo':
        return { head, body: bytesOf(play.text) }
      case 'spin':
        if (play.limitMs !== undefined) {
          const limits = { memoryBytes: Infinity, scanRows: Infinity, timeoutMs: play.limitMs }
          new Budget(limits, () => performance.now(), signal).checkpoint()
        }
        for (const end = performance.now() + play.ms; performance.now() < end;);
        return { head, body: null }
      case 'sleep':
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, play.ms)
          signal.addEventListener('abort', () => {
            clearTimeout(timer)
            resolve()
          })
        })
        return { head, body: bytesOf(signal.aborted ? 'stopped' : 'slept') }
      case 'eat': {
        const eaten: unknown[] = []
        for (;;) eaten.push(Array.from({ length: 1000 }, (_, i) => ({ i })))
      }
      case 'throw':
        setImmediate(() => {
          throw new Error('on purpose')
        })
        return new Promise(() => undefined)
      case 'stream':
        return { head, body: stream(play) }
      case 'made':
        return { head, body: bytesOf(String(made)) }
    }
  },
})
