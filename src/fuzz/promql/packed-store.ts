import { InvariantError, MIB, runToEnd } from '../../base/index.ts'
import { SampleStore, SamplesPublisher, applySamplesDelta } from '../../store/index.ts'
import { PackedSource, SamplePacker, isInMemory } from '../../store/packed-samples/index.ts'
import { BlockCache } from '../../store/segments/index.ts'
import type { FuzzSample } from './dataset.ts'

/** Limits of the unpacked tail, so small that a case fills several files, of which four are merged. */
const TAIL = { samples: 60, each: 0 }
const BATCH = 25

export interface PackedStore {
  readonly store: SampleStore
  readonly packer: SamplePacker
  /** The store as another thread reads it. */
  readonly replica: SampleStore
  /** Sends the replica all changes since the last call. */
  tell(): void
}

/** Makes a store from samples ordered by time and packs them as they arrive. */
export function packedStore(given: readonly FuzzSample[]): PackedStore {
  const store = new SampleStore()
  const packer = new SamplePacker(store, { cacheBytes: MIB, tail: TAIL })
  const replica = new SampleStore()
  const publisher = new SamplesPublisher(store)
  const cache = new BlockCache(MIB)
  const tell = (): void => {
    for (const news of publisher.news())
      applySamplesDelta(replica, structuredClone(news), (stored) => {
        if (!isInMemory(stored)) throw new InvariantError('a file in memory')
        return new PackedSource(stored, cache)
      })
  }
  for (const [i, sample] of given.toSorted((a, b) => a.timeMs - b.timeMs).entries()) {
    store.writer.append(sample.labels, sample)
    if (i % BATCH !== BATCH - 1) continue
    // Runs one step of packing, or all remaining steps.
    runToEnd(i % (3 * BATCH) === BATCH - 1 ? packer.settle() : packer.keepUp())
    if (i % (5 * BATCH) === BATCH - 1) tell()
  }
  tell()
  return { store, packer, replica, tell }
}
