import { Budget } from '../base/index.ts'
import {
  morselJob,
  type MorselWork,
  type Parallelism,
  type RemoteResult,
  type SharedMorsels,
} from '../backends/columnar/index.ts'
import { SegmentReceiver, SegmentSender, type OpenStored, type Segment } from '../store/index.ts'

const THREADS = 3

/**
 * Distributes morsels: the calling thread computes one of three, two simulated threads compute the others. In every
 * second distribution, the last simulated thread returns no result.
 */
class DealtMorsels implements SharedMorsels {
  readonly #work: MorselWork
  readonly #task: unknown
  readonly #segments: readonly Segment[]
  readonly #givesAll: boolean
  #next: number
  #results: RemoteResult[] | undefined

  constructor(work: MorselWork, task: unknown, segments: readonly Segment[], givesAll: boolean) {
    this.#work = work
    this.#task = task
    this.#segments = segments
    this.#givesAll = givesAll
    this.#next = work.firstMorsel
  }

  next(): number | undefined {
    const morsel = this.#next
    this.#next += THREADS
    return morsel < this.#work.morselCount ? morsel : undefined
  }

  #compute(thread: number): RemoteResult {
    const { firstMorsel, morselCount, budget } = this.#work
    const morsels: number[] = []
    for (let morsel = firstMorsel + 1 + thread; morsel < morselCount; morsel += THREADS) morsels.push(morsel)
    if (morsels.length === 0 || (thread === 1 && !this.#givesAll)) return { morsels, partial: undefined, workedMs: 0 }
    const job = morselJob(structuredClone(this.#task), this.#segments, new Budget(budget.limits, () => 0))
    const left = [...morsels]
    job.run(() => left.shift())
    const partial = structuredClone(job.export())
    void job.end()
    return { morsels, partial, workedMs: 0 }
  }

  settle(): void {
    this.#results ??= Array.from({ length: THREADS - 1 }, (_, thread) => this.#compute(thread))
  }

  received(): RemoteResult | undefined {
    return this.#results?.shift()
  }

  end(): void {
    this.#next = this.#work.morselCount
  }
}

/**
 * Simulates other threads in this thread. They work on copies of all messages, and a case is reproducible. `open` opens
 * segments in files.
 */
export function simulatedThreads(open?: OpenStored): Parallelism {
  const sender = new SegmentSender()
  const receiver = new SegmentReceiver(open)
  let shared = 0
  return {
    shareAfterMs: 0,
    hasIdle: true,
    share(work) {
      const task = work.task()
      // A simulated thread must receive new segments before it works on them.
      const sent = task === undefined ? undefined : sender.send(work.segments)
      if (sent === undefined) return undefined
      receiver.receive(structuredClone(sent.news))
      return new DealtMorsels(work, task, receiver.segments(sent.numbers), ++shared % 2 === 0)
    },
  }
}
