import { Worker } from 'node:worker_threads'
import type { PackedSegment, SegmentNames, SegmentPacker } from '../../store/kept/index.ts'
import { toldAlone, type LoneSegment, type Segment } from '../../store/index.ts'

/** What the thread is asked for. */
export interface ToPack {
  readonly id: number
  readonly names: SegmentNames
  readonly segment: LoneSegment
}

/** What it made; a segment that it cannot pack ends it. */
export interface FromPacking {
  readonly id: number
  readonly packed: PackedSegment
}

/** Smaller segments are packed sooner than they are told of. */
const MIN_ROWS = 8192
/** After so many threads that ended in their work no other is begun. */
const MAX_LOST = 3
const HEAP_MIB = 256

/** Makes segment files in a thread of its own, which begins with the first one. */
export class PackingThread implements SegmentPacker {
  readonly #pending = new Map<number, (packed: PackedSegment | undefined) => void>()
  #worker: Worker | undefined
  #lastId = 0
  #lost = 0

  takes(rows: number): boolean {
    return rows >= MIN_ROWS && this.#lost < MAX_LOST
  }

  async pack(segment: Segment, names: SegmentNames): Promise<PackedSegment> {
    const { promise, resolve } = Promise.withResolvers<PackedSegment | undefined>()
    const worker = (this.#worker ??= this.#start())
    const id = ++this.#lastId
    this.#pending.set(id, resolve)
    const message: ToPack = { id, names, segment: toldAlone(segment) }
    worker.ref()
    worker.postMessage(message, [])
    const packed = await promise
    if (packed === undefined) throw new Error('the thread that packs segments has not packed one')
    return packed
  }

  #start(): Worker {
    // The same file beside this one, whether compiled or not.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const worker = new Worker(new URL(`./packing-worker.${extension}`, import.meta.url), {
      env: {},
      argv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    })
    worker.on('message', ({ id, packed }: FromPacking) => {
      this.#pending.get(id)?.(packed)
      this.#pending.delete(id)
      if (this.#pending.size === 0) worker.unref()
    })
    // What it was at is packed by whoever asked.
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      this.#worker = undefined
      this.#lost++
      for (const resolve of this.#pending.values()) resolve(undefined)
      this.#pending.clear()
    })
    return worker
  }
}
