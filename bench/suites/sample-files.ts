/**
 * Compares samples in files with the same samples in memory: bytes for each sample with several kinds of values, and
 * processor milliseconds for a million samples to write, to read with an empty and a full cache, and to open. Sums are
 * compared.
 */
import { parseArgs } from 'node:util'
import { InvariantError, runToEnd, seededRandom } from '../../src/base/index.ts'
import { Labels } from '../../src/data/index.ts'
import { SampleStore } from '../../src/store/index.ts'
import { StoredSource, writeSamples } from '../../src/store/sample-files/index.ts'
import { BlockCache } from '../../src/store/segments/index.ts'
import { START_MS, kinds, type SampleKind } from './sample-files/kinds.ts'
import { timed } from './sample-memory/processor.ts'

const { values: options } = parseArgs({
  options: {
    series: { type: 'string', default: '1000' },
    samples: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
  },
})
const seriesCount = Number(options.series)
const samplesEach = Number(options.samples)
const ALL = { matchers: [], guard: undefined, startMs: -Infinity, endMs: Infinity }

function storeOf({ jitterMs, next }: SampleKind): SampleStore {
  const random = seededRandom(Number(options.seed))
  const store = new SampleStore()
  for (let s = 0; s < seriesCount; s++) {
    const series = store.writer.getOrCreateSeries(
      Labels.of({ __name__: 'm', pod: `pod-${s}`, job: `j${s % 7}`, namespace: `n${s % 31}` }),
    )
    let value = random.below(1e6)
    for (let i = 0; i < samplesEach; i++) {
      value = next(random, value)
      series.append({ timeMs: START_MS + i * 15_000 + s * 13 + random.below(jitterMs), value })
    }
  }
  return store
}

function sumOf(store: SampleStore): number {
  let sum = 0
  for (const { values } of store.reader.select(ALL)) for (const value of values) sum += value
  return sum
}

const millions = (seriesCount * samplesEach) / 1e6
const each = (ms: number): string => (ms / millions).toFixed(1).padStart(8)
console.log('bytes a sample; ms of processor a million samples: write, cold, warm, memory; ms to open')
for (const [name, kind] of Object.entries(kinds)) {
  const memory = storeOf(kind)
  const pieces: Uint8Array[] = []
  const series = memory.reader.select(ALL).map(({ labels, ...samples }) => ({ labels, samples }))
  const content = { series, descriptions: [], exemplars: [] }
  const written = timed(() => runToEnd(writeSamples(content, (bytes) => pieces.push(bytes.slice()))))
  const file = Buffer.concat(pieces)
  const read = (into: Uint8Array, at: number): number => file.copy(into, 0, at, at + into.length)
  const stored = { ...written.found, name, path: name, order: 1 }
  const opened = timed(() => {
    const store = new SampleStore()
    store.sources.replace([], new StoredSource(stored, { name, bytes: file.length, read }, new BlockCache(2 ** 30)))
    return store
  })
  const cold = timed(() => sumOf(opened.found))
  const warm = timed(() => sumOf(opened.found))
  const inMemory = timed(() => sumOf(memory))
  if (cold.found !== inMemory.found || warm.found !== inMemory.found)
    throw new InvariantError(`the same sums of ${name}`)
  const bytes = (written.found.bytes / written.found.samples).toFixed(2).padStart(6)
  const figures = [written.ms, cold.ms, warm.ms, inMemory.ms].map(each).join('')
  console.log(`${name.padEnd(38)}${bytes}${figures}${opened.ms.toFixed(0).padStart(7)}`)
}
