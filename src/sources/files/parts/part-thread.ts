import { Worker } from 'node:worker_threads'
import { nextTurn } from '../../../base/index.ts'
import { SegmentReceiver, type RecordFormat } from '../../../store/index.ts'
import { PART_SLOTS } from '../tuning.ts'
import type { PartDelta, PartReadOptions, PartsJob } from './file-part.ts'
import type { PartFiller } from './part-filler.ts'
import { partFormat, PartReader, type ReadPart } from './part-reader.ts'
import { PartRing, type TakenPart } from './part-ring.ts'
import { moduleBeside } from '../../../system/index.ts'

/** A thread that reads parts of inputs in parallel to the calling one. */
export class PartThread {
  /** The rings that are not in use. */
  readonly #rings: PartRing[] = []
  #worker: Worker | undefined
  #isGone = false

  /** Starts the thread if it does not run yet. It may be called before there are parts to read. */
  start(): Worker {
    if (this.#worker !== undefined) return this.#worker
    const worker = new Worker(moduleBeside(import.meta.url, 'part-worker'))
    this.#worker = worker
    const gone = (): void => {
      this.#isGone = true
    }
    worker.on('error', gone).on('exit', gone).unref()
    return worker
  }

  /** Returns a ring for one input; `giveBack` returns it to the pool. */
  takeRing(): PartRing {
    return this.#rings.pop() ?? new PartRing()
  }

  giveBack(ring: PartRing): void {
    this.#rings.push(ring)
  }

  /**
   * Reads an input whose first part has been filled and yields its parts in order. `tick` is called at intervals; an
   * error that it throws ends the reading. Returns the bytes that cannot be read in parts: the first part on which
   * later bytes depend, and everything after it.
   */
  async *read(
    ring: PartRing,
    how: PartReadOptions,
    filler: PartFiller,
    tick: () => Promise<void>,
  ): AsyncGenerator<ReadPart, AsyncIterable<Uint8Array>> {
    const parts = new PartsBeingRead(ring, how, filler)
    const ended = this.#isGone ? Promise.resolve() : this.#readBeside({ how, memory: ring.memory }, parts)
    try {
      return filler.rest(yield* parts.run(tick))
    } finally {
      await ended
    }
  }

  /** Lets the other thread read parts; resolves when the other thread takes no more parts. */
  #readBeside(job: PartsJob, parts: PartsBeingRead): Promise<void> {
    const worker = this.start()
    const receiver = new SegmentReceiver()
    return new Promise((resolve) => {
      const end = (): void => {
        worker.off('message', receive).off('error', end).off('exit', end)
        worker.unref()
        parts.isAlone = true
        parts.wake()
        resolve()
      }
      const receive = (news: PartDelta): void => {
        if ('ended' in news) {
          end()
          return
        }
        receiver.receive(news.news)
        parts.put(news.part, { segments: receiver.take(news.segments), counts: news.counts })
      }
      worker.on('message', receive).on('error', end).on('exit', end)
      worker.ref()
      worker.postMessage(job, [])
    })
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }
}

/** The parts of one input while two threads read them. */
class PartsBeingRead {
  readonly #ring: PartRing
  readonly #filler: PartFiller
  readonly #format: RecordFormat
  readonly #reader: PartReader
  readonly #read = new Map<number, ReadPart>()
  /** The number of parts that have been yielded; their slots are free. */
  #given = 0
  #filling: Promise<void> | undefined
  #wake: (() => void) | undefined
  #hasFilled = false
  /**
   * True if no other thread reads parts. This thread then reads the parts that the other thread took and did not
   * return.
   */
  isAlone = false

  constructor(ring: PartRing, how: PartReadOptions, filler: PartFiller) {
    this.#ring = ring
    this.#filler = filler
    this.#format = partFormat(how)
    this.#reader = new PartReader(how)
  }

  put(part: number, read: ReadPart): void {
    this.#read.set(part, read)
    this.wake()
  }

  wake(): void {
    this.#wake?.()
  }

  /** Yields the parts and returns the number of the first part that was not yielded. */
  async *run(tick: () => Promise<void>): AsyncGenerator<ReadPart, number> {
    try {
      for (;;) {
        this.#fillOn()
        const next = this.#read.get(this.#given)
        const isLast = this.#filler.isOver && this.#given + 1 >= this.#ring.filled
        if (next !== undefined) {
          if (!next.counts.standsAlone && !(isLast && this.#filler.isWhole)) return this.#given
          this.#read.delete(this.#given++)
          yield next
        } else if (isLast && this.#given === this.#ring.filled) return this.#given
        else await this.#readOn(tick)
        await tick()
      }
    } finally {
      this.#ring.stop()
      await this.#filling
    }
  }

  /** Reads a part, or waits for a change. */
  async #readOn(tick: () => Promise<void>): Promise<void> {
    const taken = this.#ring.take() ?? (this.isAlone ? this.#untold() : undefined)
    if (taken !== undefined) this.put(taken.part, await this.#readHere(taken, tick))
    else await this.#change()
  }

  /** Returns the next part if the other thread took it and ended without returning it. */
  #untold(): TakenPart | undefined {
    return this.#given < this.#ring.filled ? this.#ring.part(this.#given) : undefined
  }

  async #readHere(taken: TakenPart, tick: () => Promise<void>): Promise<ReadPart> {
    const turns = this.#reader.read(taken)
    for (;;) {
      const next = turns.next()
      if (next.done === true) return next.value
      // The event loop must run so that the decompressor and messages of the other thread make progress.
      await nextTurn()
      this.#fillOn()
      await tick()
    }
  }

  /**
   * Fills slots while at least two are free: one for the next part, and one for the bytes after that part's last
   * record.
   */
  #fillOn(): void {
    const filler = this.#filler
    if (this.#hasFilled) filler.publish(this.#format)
    this.#hasFilled = false
    const hasRoom = this.#ring.filled + 1 < this.#given + PART_SLOTS
    if (this.#filling !== undefined || filler.isOver || !hasRoom) return
    this.#filling = filler.fill().then(() => {
      this.#filling = undefined
      this.#hasFilled = true
      this.wake()
    })
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined
        resolve()
      }
    })
  }
}
