import { MAX_ATTEMPTS } from '../../base/index.ts'
import type { MessagePort } from 'node:worker_threads'
import type { PackedSegment, SegmentPacker } from '../../store/persistence/index.ts'
import type { TableNames } from '../../store/segments/index.ts'
import { SMALL_SEGMENT_ROWS, encodeAlone, type Segment } from '../../store/index.ts'
import { inBackground } from '../../workers/index.ts'

/** Writes segment files in workers of the pool. */
export class PoolPacker implements SegmentPacker {
  readonly #send: (port: MessagePort) => void
  #failed = 0

  /** `send` passes a port to the pool, as `WorkerPool.background` does. */
  constructor(send: (port: MessagePort) => void) {
    this.#send = send
  }

  takes(rows: number): boolean {
    return rows >= SMALL_SEGMENT_ROWS && this.#failed < MAX_ATTEMPTS
  }

  async pack(segment: Segment, names: TableNames): Promise<PackedSegment> {
    const packed = await inBackground({ kind: 'pack', names, segment: encodeAlone(segment) }, this.#send)
    if (packed !== undefined) return packed
    this.#failed++
    throw new Error('no worker has packed the segment')
  }
}
