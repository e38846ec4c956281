import { chargeWork, type SluiceError } from '../../base/index.ts'
import type { Files } from '../durable/index.ts'
import type { GrowingDictionary, OpenStored } from '../memory/index.ts'
import { StoredSource } from '../sample-files/index.ts'
import type { OpenSamples } from '../samples/index.ts'
import { PackedSource, isInMemory } from '../packed-samples/index.ts'
import { BlockCache, DictionariesFile, PooledFiles, StoredPart, fileKey, type SharedBlocks } from '../segments/index.ts'
import { readOrRemade } from './repair/mended-dictionary.ts'

/** Opens files whose names come from another thread. */
export interface StoredReader extends OpenStored {
  readonly samples: OpenSamples
  /** Closes the given files, which were removed. The disk frees their space only once no thread has them open. */
  readonly removed: (paths: readonly string[]) => void
}

/**
 * Returns a reader of files whose names come from another thread. `cacheBytes` is the size of one block cache for all
 * files. `onDamage` is called for damaged filters and dictionaries, whose damage does not change answers. `shared` has
 * blocks that other threads have read.
 */
export function storedReader(
  files: Files,
  cacheBytes: number,
  onDamage: (path: string, error: SluiceError) => void = () => undefined,
  shared?: SharedBlocks,
): StoredReader {
  const pool = new PooledFiles(files)
  const cache = new BlockCache(cacheBytes, shared)
  const parts = new Map<string, StoredPart>()
  return {
    segment({ id, path, bytes, crc, number, rowGroup }, { textField }, dictionaryOf) {
      let part = parts.get(path)
      if (part === undefined) {
        const source = pool.source(path, bytes, undefined, crc)
        part = new StoredPart({ source, textField, cache, onDamage: (error) => onDamage(path, error) })
        parts.set(path, part)
      }
      return part.rowGroup(number, rowGroup, { id, dictionaryOf })
    },
    dictionary({ path, bytes, field, records }, segments) {
      const source = pool.source(path, bytes)
      const file = new DictionariesFile(records, bytes)
      const whole = (): GrowingDictionary => file.read(source, field)
      const size = file.size(field)
      const onMended = (error: SluiceError): void => onDamage(path, error)
      const read = (): GrowingDictionary => {
        // The dictionary is a copy of this thread only, so the first query that needs it whole is charged.
        chargeWork(file.heldBytes(field))
        return segments === undefined ? whole() : readOrRemade(whole, { field, size, segments, onMended })
      }
      return file.stored(source, field, cache, { read, path })
    },
    samples: (stored) =>
      isInMemory(stored)
        ? new PackedSource(stored, cache)
        : new StoredSource(stored, pool.source(stored.path, stored.bytes, stored.name), cache),
    removed: (paths) => {
      for (const path of paths) {
        pool.close(path)
        shared?.remove(fileKey(path))
        parts.delete(path)
      }
    },
  }
}
