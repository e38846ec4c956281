import { Worker } from 'node:worker_threads'
import { nextTurn } from '../../../base/index.ts'
import { SegmentListener, type RecordFormat } from '../../../store/index.ts'
import { PART_SLOTS } from '../tuning.ts'
import type { PartNews, PartReading, PartsJob } from './file-part.ts'
import type { PartFiller } from './part-filler.ts'
import { partFormat, PartReader, type ReadPart } from './part-reader.ts'
import { PartRing, type TakenPart } from './part-ring.ts'
import { moduleBeside } from '../../../system/index.ts'

/** A thread that reads parts of inputs beside this one. */
export class PartThread {
  /** Those that no input is read through. */
  readonly #rings: PartRing[] = []
  #worker: Worker | undefined
  #isGone = false

  /** Starts the thread, unless it runs, before there are parts to read. */
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

  /** A ring for one input, until it is given back. */
  takeRing(): PartRing {
    return this.#rings.pop() ?? new PartRing()
  }

  giveBack(ring: PartRing): void {
    this.#rings.push(ring)
  }

  /**
   * Reads an input whose first part is filled; gives its parts in their order. `tick` is called now and then, and ends the
   * reading by what it throws. Returns the bytes that cannot be read in parts: those of
   * the first part that what follows depends on, and all behind it.
   */
  async *read(
    ring: PartRing,
    how: PartReading,
    filler: PartFiller,
    tick: () => Promise<void>,
  ): AsyncGenerator<ReadPart, AsyncIterable<Uint8Array>> {
    const reading = new PartsBeingRead(ring, how, filler)
    const ended = this.#isGone ? Promise.resolve() : this.#readBeside({ how, memory: ring.memory }, reading)
    try {
      return filler.rest(yield* reading.run(tick))
    } finally {
      await ended
    }
  }

  /** Has the thread read parts; ends when it takes no more of them. */
  #readBeside(job: PartsJob, reading: PartsBeingRead): Promise<void> {
    const worker = this.start()
    const listener = new SegmentListener()
    return new Promise((resolve) => {
      const end = (): void => {
        worker.off('message', hear).off('error', end).off('exit', end)
        worker.unref()
        reading.isAlone = true
        reading.wake()
        resolve()
      }
      const hear = (news: PartNews): void => {
        if ('ended' in news) {
          end()
          return
        }
        listener.hear(news.news)
        reading.put(news.part, { segments: listener.take(news.segments), counts: news.counts })
      }
      worker.on('message', hear).on('error', end).on('exit', end)
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
  /** Parts that were given to whoever reads the input; their slots are free. */
  #given = 0
  #filling: Promise<void> | undefined
  #wake: (() => void) | undefined
  #hasFilled = false
  /** Whether no other thread reads parts: what it has taken and not told is read here. */
  isAlone = false

  constructor(ring: PartRing, how: PartReading, filler: PartFiller) {
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

  /** Returns the number of the first part that was not given. */
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

  /** Reads a part, or waits for one. */
  async #readOn(tick: () => Promise<void>): Promise<void> {
    const taken = this.#ring.take() ?? (this.isAlone ? this.#untold() : undefined)
    if (taken !== undefined) this.put(taken.part, await this.#readHere(taken, tick))
    else await this.#change()
  }

  /** The next part if another thread has taken it and is gone. */
  #untold(): TakenPart | undefined {
    return this.#given < this.#ring.filled ? this.#ring.part(this.#given) : undefined
  }

  async #readHere(taken: TakenPart, tick: () => Promise<void>): Promise<ReadPart> {
    const turns = this.#reader.read(taken)
    for (;;) {
      const next = turns.next()
      if (next.done === true) return next.value
      // What unpacks the input and what the other thread tells wait for their turns.
      await nextTurn()
      this.#fillOn()
      await tick()
    }
  }

  /** Fills slots as long as two are free: that of the next part, and that of what was read behind it. */
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
