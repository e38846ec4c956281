import { MAX_CACHED } from './tuning.ts'

/** The value of a key, made where it is not in the cache; a cache of `most` keys is emptied before. */
export function cached<K, V extends {}>(cache: Map<K, V>, key: K, make: () => V, most = MAX_CACHED): V {
  const known = cache.get(key)
  if (known !== undefined) return known
  const made = make()
  if (cache.size >= most) cache.clear()
  cache.set(key, made)
  return made
}
