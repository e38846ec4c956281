import type { Files } from '../durable/index.ts'
import type { OpenStored } from '../memory/index.ts'
import { StoredSource } from '../sample-files/index.ts'
import type { OpenSamples } from '../samples/index.ts'
import { BlockCache, PooledFiles, openSegment } from '../segments/index.ts'

/** Opens files that another thread names. */
export interface StoredReader {
  readonly segment: OpenStored
  readonly samples: OpenSamples
}

/** Reads files that another thread names, with a cache of so many bytes for all of them. */
export function storedReader(files: Files, cacheBytes: number): StoredReader {
  const pool = new PooledFiles(files)
  const cache = new BlockCache(cacheBytes)
  return {
    segment: ({ id, path, bytes, ...summary }, { textField }, dictionaryOf) =>
      openSegment({ id, source: pool.source(path, bytes), summary, textField, dictionaryOf, cache }),
    samples: (stored) => new StoredSource(stored, pool.source(stored.path, stored.bytes, stored.name), cache),
  }
}
