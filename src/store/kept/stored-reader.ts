import type { SluiceError } from '../../base/index.ts'
import type { Files } from '../durable/index.ts'
import type { OpenGroup, OpenStored } from '../memory/index.ts'
import { StoredSource } from '../sample-files/index.ts'
import type { OpenSamples } from '../samples/index.ts'
import { BlockCache, GroupFilter, PooledFiles, openSegment } from '../segments/index.ts'

/** Opens files that another thread names. */
export interface StoredReader {
  readonly segment: OpenStored
  readonly group: OpenGroup
  readonly samples: OpenSamples
}

/**
 * Reads files that another thread names, with a cache of so many bytes for all of them. `onDamage` is told of files of
 * groups that are damaged, which costs no answer.
 */
export function storedReader(
  files: Files,
  cacheBytes: number,
  onDamage: (path: string, error: SluiceError) => void = () => undefined,
): StoredReader {
  const pool = new PooledFiles(files)
  const cache = new BlockCache(cacheBytes)
  return {
    segment: ({ id, path, bytes, ...summary }, { textField }, dictionaryOf) =>
      openSegment({ id, source: pool.source(path, bytes), summary, textField, dictionaryOf, cache }),
    group: ({ path, bytes, crc, segments }, { textField }) =>
      new GroupFilter({
        source: pool.source(path, bytes, undefined, crc),
        segments,
        textField,
        cache,
        onDamage: (error) => onDamage(path, error),
      }),
    samples: (stored) => new StoredSource(stored, pool.source(stored.path, stored.bytes, stored.name), cache),
  }
}
