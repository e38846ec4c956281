import { parentPort } from 'node:worker_threads'
import { present } from '../../../base/index.ts'
import { SegmentTeller } from '../../../store/index.ts'
import type { PartNews, PartsJob } from './file-part.ts'
import { partCount, PartReader } from './part-reader.ts'

/** Reads parts of one file until all are taken. */
function readParts({ file, table, next }: PartsJob, tell: (news: PartNews) => void): void {
  const counter = new Int32Array(next)
  const reader = new PartReader(table)
  const teller = new SegmentTeller()
  for (let part = Atomics.add(counter, 0, 1); part < partCount(file); part = Atomics.add(counter, 0, 1)) {
    try {
      const { segments, counts } = reader.read(file, part)
      const { numbers, news } = present(teller.tell(segments), 'segments in memory')
      tell({ part, counts, segments: numbers, news })
    } catch {
      // The thread with the query reads a part that was not told, and meets the same error.
    }
  }
  tell({ ended: true })
}

parentPort?.on('message', (job: PartsJob) => {
  readParts(job, (news) => parentPort?.postMessage(news, []))
})
