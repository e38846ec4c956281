import type { Files } from '../durable/index.ts'
import type { OpenStored } from '../memory/index.ts'
import { BlockCache, PooledFiles, openSegment } from '../segments/index.ts'

/** Reads segments of files that another thread names, with a cache of so many bytes for all of them. */
export function storedReader(files: Files, cacheBytes: number): OpenStored {
  const pool = new PooledFiles(files)
  const cache = new BlockCache(cacheBytes)
  return ({ id, path, bytes, ...summary }, { textField }, dictionaryOf) =>
    openSegment({ id, source: pool.source(path, bytes), summary, textField, dictionaryOf, cache })
}
