import { atOnce, noReads, present } from '../../../src/base/index.ts'
import { SampleFile } from '../../../src/store/sample-files/index.ts'
import {
  BlockCache,
  BlockFile,
  groupKind,
  itemsOfSegment,
  sortedRun,
  writeGroup,
} from '../../../src/store/segments/index.ts'
import { linesOf, manyKinds as manySamples, samplesFile, seriesOf } from '../../store/sample-files/file-of.ts'
import { allOf, fileOf, manyKinds, opened, sealedTable, sourceOf } from '../../store/segments/read-all.ts'
import { forge, type ForgeryReport } from './forged.ts'

const CACHE_BYTES = 1024 * 1024
const words = ['request', 'user1', 'took', 'absent', 'wide', '3']

const table = sealedTable(manyKinds(20))
const { file: segment, summary } = fileOf(table, present(table.snapshot()[0]))

function group(): Buffer {
  const pieces: Uint8Array[] = []
  const runs = atOnce(itemsOfSegment(opened(table, sourceOf(segment), summary))).map((hashes) => sortedRun(hashes, 0))
  const about = { table: 'logs', textField: 'content', segments: ['one'] }
  atOnce(writeGroup(runs, about, (bytes) => pieces.push(Buffer.from(bytes))))
  return Buffer.concat(pieces)
}

/** Each kind of a file of blocks, forged in one of so many ways, and read whole. */
export const forgedFiles: Readonly<Record<string, (oneIn: number) => ForgeryReport>> = {
  segment: (oneIn) =>
    forge(
      segment,
      (file) => {
        const read = opened(table, sourceOf(file), { ...summary, bytes: file.length })
        return read.words === undefined ? 'no words' : allOf(read, words)
      },
      oneIn,
    ),
  samples: (oneIn) =>
    forge(
      samplesFile({ series: seriesOf(manySamples(5)) }).file,
      (file) => {
        const read = new SampleFile(sourceOf(file), new BlockCache(CACHE_BYTES))
        const series = read.labels.map((labels, place) => {
          const all = read.part(place)?.slice(-Infinity, Infinity)
          return [String(labels), all && linesOf(all)]
        })
        return [series, read.descriptions(), read.exemplars()]
      },
      oneIn,
    ),
  group: (oneIn) =>
    forge(group(), (file) => new BlockFile(sourceOf(file), noReads(), groupKind).check().contents, oneIn),
}
