import { parentPort } from 'node:worker_threads'
import { runToEnd, present } from '../../../base/index.ts'
import { SegmentSender } from '../../../store/index.ts'
import type { PartDelta, PartsJob } from './file-part.ts'
import { PartReader } from './part-reader.ts'
import { PartRing } from './part-ring.ts'

/** Returns the buffers in segments that belong to this thread alone. */
function ownMemory(data: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(data)) {
    if (data.buffer instanceof ArrayBuffer) found.add(data.buffer)
  } else if (typeof data === 'object' && data !== null)
    for (const member of Object.values(data)) ownMemory(member, found)
  return found
}

/** Reads parts of one input until none is left. */
function readParts({ how, memory }: PartsJob, tell: (news: PartDelta) => void): void {
  const ring = new PartRing(memory)
  const reader = new PartReader(how)
  const sender = new SegmentSender()
  for (let taken = ring.waitAndTake(); taken !== undefined; taken = ring.waitAndTake()) {
    const { segments, counts } = runToEnd(reader.read(taken))
    const { numbers, news } = present(sender.send(segments), 'segments in memory')
    tell({ part: taken.part, counts, segments: numbers, news })
  }
  tell({ ended: true })
}

parentPort?.on('message', (job: PartsJob) => {
  readParts(job, (news) => parentPort?.postMessage(news, 'ended' in news ? [] : [...ownMemory(news.news.segments)]))
})
