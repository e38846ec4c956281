import { parentPort } from 'node:worker_threads'
import { atOnce, present } from '../../base/index.ts'
import { packSegment, type PackedSegment } from '../../store/kept/index.ts'
import { WordIndexBuilder, heardAlone } from '../../store/index.ts'
import { lowerPriority } from '../../workers/index.ts'
import type { FromPacking, ToPack } from './packing-thread.ts'

/** Makes the files of the segments that it is told of, one after the other. */
export function servePacking(): void {
  const port = present(parentPort ?? undefined, 'the port of a worker')
  const words = new WordIndexBuilder()
  lowerPriority()
  const pack = ({ names, segment }: ToPack): PackedSegment & { readonly buffers: readonly ArrayBuffer[] } => {
    const pieces: Uint8Array[] = []
    const buffers: ArrayBuffer[] = []
    const { summary, hashes } = atOnce(
      packSegment(heardAlone(segment), names, words, (piece) => {
        pieces.push(piece)
        buffers.push(piece.buffer)
      }),
    )
    for (const { buffer } of hashes) buffers.push(buffer)
    return { pieces, summary, hashes, buffers }
  }
  port.on('message', (message: ToPack) => {
    const { buffers, ...packed } = pack(message)
    const answer: FromPacking = { id: message.id, packed }
    port.postMessage(answer, buffers)
  })
}
