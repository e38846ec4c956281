import { MAX_CACHED } from './tuning.ts'

/** Returns the cached value of a key, or makes and caches it. A cache that has `most` keys is cleared first. */
export function cached<K, V extends {}>(cache: Map<K, V>, key: K, make: () => V, most = MAX_CACHED): V {
  const known = cache.get(key)
  if (known !== undefined) return known
  const made = make()
  if (cache.size >= most) cache.clear()
  cache.set(key, made)
  return made
}
