import { present, type SluiceError } from '../../../src/base/index.ts'
import { SampleFile } from '../../../src/store/sample-files/index.ts'
import { BlockCache, StoredPart } from '../../../src/store/segments/index.ts'
import { linesOf, manyKinds as manySamples, samplesFile, seriesOf } from '../../store/sample-files/file-of.ts'
import { allOf, fileOf, manyKinds, opened, partOf, sealedTable, sourceOf } from '../../store/segments/read-all.ts'
import { forge, type ForgeryReport } from './forged.ts'

const CACHE_BYTES = 1024 * 1024
const words = ['request', 'user1', 'took', 'absent', 'wide', '3']

const table = sealedTable(manyKinds(20))
const { file: rowGroup, summary } = fileOf(table, present(table.view.snapshot()[0]))
const { file: part } = partOf(table, present(table.view.snapshot()[0]))
const strings = ['error', 'text', 'absent']

/**
 * Returns the row groups that may contain certain words and values according to the filter. A damaged filter excludes
 * none.
 */
function filtered(file: Buffer): unknown {
  const damages: SluiceError[] = []
  const options = { textField: 'content', cache: new BlockCache(CACHE_BYTES) }
  const read = new StoredPart({ source: sourceOf(file), ...options, onDamage: (error) => damages.push(error) })
  const found = [
    ...words.map((word) => read.withWord(Buffer.from(word))),
    ...strings.map((each) => read.withTexts('level', [Buffer.from(each)])),
  ]
  const [damage] = damages
  if (damage !== undefined) throw damage
  return found
}

/**
 * For each kind of block file, a function that forges one in `oneIn` of its values and reads the whole file after each
 * forgery.
 */
export const forgedFiles: Readonly<Record<string, (oneIn: number) => ForgeryReport>> = {
  rowGroup: (oneIn) =>
    forge(
      rowGroup,
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
  part: (oneIn) => forge(part, filtered, oneIn),
}
