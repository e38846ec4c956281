import type { JsonValue, Random } from '../../base/index.ts'
import type { Body } from './pipeline.ts'

/** Optional members of a pipeline. `null` counts as not given. */
const optional = ['having', 'limit', 'offset', 'sample', 'except', 'limitBy', 'orderBy', 'union', 'timeOffset']
const objects = new Set(['having', 'limitBy', 'union'])
const folded = new Set(['operator', 'direction', 'domain'])
const counts = new Set(['limit', 'offset', 'sample'])

function oddCase(text: string, random: Random): string {
  const how = random.below(4)
  if (how === 0) return text.toUpperCase()
  if (how === 1) return text.toLowerCase()
  return how === 2 ? text.slice(0, 1).toUpperCase() + text.slice(1) : text
}

function member(name: string, value: JsonValue, random: Random): JsonValue {
  if (folded.has(name) && typeof value === 'string') return oddCase(value, random)
  if (counts.has(name) && typeof value === 'number' && random.next() < 0.5) return String(value)
  if (name === 'scalar' && typeof value === 'string') return random.next() < 0.5 ? Number(value) : value
  // This text is a value, so its case matters.
  if (name === 'value') return value
  return oddly(value, random)
}

/**
 * Returns the same body as a careless client might write it: members in any case and order, numbers as strings, and
 * `null` or `{}` for members that are not given.
 */
export function oddly(value: JsonValue, random: Random): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => oddly(item, random))
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value as Body).map(([name, inner]): [string, JsonValue] => [
    name,
    member(name, inner, random),
  ])
  for (const name of optional) {
    if (!(name in value) && random.next() < 0.1)
      members.push([name, objects.has(name) && random.next() < 0.3 ? {} : null])
  }
  if (random.next() < 0.3) members.reverse()
  return Object.fromEntries(members.map(([name, inner]) => [oddCase(name, random), inner]))
}
