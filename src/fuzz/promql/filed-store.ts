import { MIB, runToEnd } from '../../base/index.ts'
import { SampleStore } from '../../store/index.ts'
import { StoredSource, writeSamples, type SamplesToWrite } from '../../store/sample-files/index.ts'
import { BlockCache } from '../../store/segments/index.ts'
import type { FuzzSample } from './dataset.ts'

/** Number of files. The last samples stay unpacked in memory. */
const FILES = 4

/** Makes a store from samples in time order, split over several files. */
export function filedStore(given: readonly FuzzSample[]): SampleStore {
  const samples = given.toSorted((a, b) => a.timeMs - b.timeMs)
  const store = new SampleStore()
  const cache = new BlockCache(MIB)
  const size = Math.ceil(samples.length / (FILES + 0.5))
  for (const [i, sample] of samples.entries()) {
    store.writer.append(sample.labels, sample)
    if (i % size === size - 1) intoFile(store, (i + 1) / size, cache)
  }
  return store
}

/** Moves the unpacked samples of a store to a new file, which comes after the existing files. */
export function intoFile(store: SampleStore, order: number, cache: BlockCache = new BlockCache(MIB)): void {
  const frozen = store.sources.freeze(order)
  const series = frozen.columns.flatMap((columns) =>
    columns === undefined ? [] : [{ labels: columns.labels, samples: columns.slice(-Infinity, Infinity) }],
  )
  const content = { series, descriptions: [], exemplars: [] }
  store.sources.replace([frozen], fileOf(content, `samples-${order}.samples`, order, cache))
}

/** Makes a file of samples in memory. */
export function fileOf(
  content: SamplesToWrite,
  name: string,
  order: number,
  cache: BlockCache = new BlockCache(MIB),
): StoredSource {
  const pieces: Uint8Array[] = []
  const summary = runToEnd(writeSamples(content, (bytes) => pieces.push(bytes.slice())))
  const file = Buffer.concat(pieces)
  const read = (into: Uint8Array, at: number): number => file.copy(into, 0, at, at + into.length)
  return new StoredSource({ ...summary, name, path: name, order }, { name, bytes: file.length, read }, cache)
}
