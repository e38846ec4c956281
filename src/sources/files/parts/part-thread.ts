import { Worker } from 'node:worker_threads'
import { SegmentListener } from '../../../store/index.ts'
import type { PartNews, PartsJob } from './file-part.ts'
import { partCount, PartReader, type ReadPart } from './part-reader.ts'

/** More than a file has parts: a thread that takes its next part there ends. */
const NO_MORE_PARTS = 2 ** 30

/** A thread that reads parts of files beside this one. */
export class PartThread {
  readonly #worker: Worker

  constructor() {
    // The same file beside this one, whether compiled or not.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    this.#worker = new Worker(new URL(`./part-worker.${extension}`, import.meta.url))
    this.#worker.unref()
  }

  /**
   * All parts of a file in their order; those that cannot be read without the ones before are read as one. `tick` is called after each
   * part that is read here with the bytes that were read so far, and ends the reading by what it throws.
   */
  async read(job: Omit<PartsJob, 'next'>, tick: (readBytes: number) => Promise<void>): Promise<readonly ReadPart[]> {
    const { file, table } = job
    const next = new SharedArrayBuffer(4)
    const counter = new Int32Array(next)
    const parts: (ReadPart | undefined)[] = []
    const listener = new SegmentListener()
    let readBytes = 0
    const ended = new Promise<void>((resolve, reject) => {
      const end = (): void => {
        this.#worker.off('message', take).off('error', fail)
        resolve()
      }
      const fail = (error: Error): void => {
        end()
        reject(error)
      }
      const take = (news: PartNews): void => {
        if ('ended' in news) end()
        else if ('counts' in news) {
          listener.hear(news.news)
          parts[news.part] = { segments: listener.segments(news.segments), counts: news.counts }
          readBytes += news.counts.bytes
        }
      }
      this.#worker.on('message', take).on('error', fail)
    })
    this.#worker.ref()
    this.#worker.postMessage({ ...job, next } satisfies PartsJob, [])
    const reader = new PartReader(table)
    try {
      for (let part = Atomics.add(counter, 0, 1); part < partCount(file); part = Atomics.add(counter, 0, 1)) {
        const read = reader.read(file, part)
        parts[part] = read
        readBytes += read.counts.bytes
        await tick(readBytes)
      }
    } finally {
      Atomics.store(counter, 0, NO_MORE_PARTS)
      await ended
      this.#worker.unref()
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

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}
