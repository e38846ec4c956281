import { Worker } from 'node:worker_threads'
import { SegmentListener } from '../../../store/index.ts'
import type { PartNews, PartsJob } from './file-part.ts'
import { partCount, PartReader, type ReadPart } from './part-reader.ts'

/** More than a file has parts: a thread that takes its next part there ends. */
const NO_MORE_PARTS = 2 ** 30

/** A thread that reads parts of files beside this one. */
export class PartThread {
  readonly #worker: Worker
  #isGone = false

  constructor() {
    // The same file beside this one, whether compiled or not.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    this.#worker = new Worker(new URL(`./part-worker.${extension}`, import.meta.url))
    this.#worker.unref()
    const gone = (): void => {
      this.#isGone = true
    }
    this.#worker.on('error', gone).on('exit', gone)
  }

  /**
   * All parts of a file in their order; those that cannot be read without the ones before are read as one. `tick` is called after each
   * part that is read here with the bytes that were read so far, and ends the reading by what it throws. What a lost thread has not
   * read is read here.
   */
  async read(job: Omit<PartsJob, 'next'>, tick: (readBytes: number) => Promise<void>): Promise<readonly ReadPart[]> {
    const { file, table } = job
    const next = new SharedArrayBuffer(4)
    const counter = new Int32Array(next)
    const parts: (ReadPart | undefined)[] = []
    let readBytes = 0
    const count = (part: number, read: ReadPart): void => {
      parts[part] = read
      readBytes += read.counts.bytes
    }
    const ended = this.#isGone ? Promise.resolve() : this.#readBeside({ ...job, next }, count)
    const reader = new PartReader(table)
    try {
      for (let part = Atomics.add(counter, 0, 1); part < partCount(file); part = Atomics.add(counter, 0, 1)) {
        count(part, reader.read(file, part))
        await tick(readBytes)
      }
    } finally {
      Atomics.store(counter, 0, NO_MORE_PARTS)
      await ended
    }
    const all: ReadPart[] = []
    for (let part = 0; part < partCount(file); part++) {
      const read = parts[part] ?? reader.read(file, part)
      if (!read.counts.standsAlone && part + 1 < partCount(file)) {
        all.push(reader.read(file, part, true))
        break
      }
      all.push(read)
    }
    return all
  }

  /** Has the thread read parts; ends when it takes no more of them. */
  #readBeside(job: PartsJob, count: (part: number, read: ReadPart) => void): Promise<void> {
    const worker = this.#worker
    const listener = new SegmentListener()
    return new Promise((resolve) => {
      const end = (): void => {
        worker.off('message', take).off('error', end).off('exit', end)
        worker.unref()
        resolve()
      }
      const take = (news: PartNews): void => {
        if ('ended' in news) end()
        else if ('counts' in news) {
          listener.hear(news.news)
          count(news.part, { segments: listener.segments(news.segments), counts: news.counts })
        }
      }
      worker.on('message', take).on('error', end).on('exit', end)
      worker.ref()
      worker.postMessage(job, [])
    })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
