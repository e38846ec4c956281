import type { Meter } from '../../base/index.ts'
import {
  fieldOfJson,
  isJsonObject,
  parseJsonExact,
  type ExactJson,
  type ExactJsonObject,
  type Value,
} from '../../data/index.ts'
import { MeteredItems } from './metered-items.ts'

const BARE = /"(?:[^"\\]|\\.)*"|[+-]?\b(?:NaN|Infinity|Inf)\b/gi

/**
 * Parses JSON that may contain unquoted `NaN` and infinities, which many programs write. These values become strings.
 */
function parseLenient(text: string): ExactJson {
  try {
    return parseJsonExact(text)
  } catch (error) {
    if (!/NaN|Inf/i.test(text)) throw error
    return parseJsonExact(text.replaceAll(BARE, (token) => (token.startsWith('"') ? token : `"${token}"`)))
  }
}

/** A set of dotted member names, and of the names of all objects that contain these members. */
export class MemberNames {
  readonly #names: ReadonlySet<string>
  /** Contains `''`, because a member with an empty name has the name of its parent. */
  readonly #objects = new Set([''])

  constructor(names: Iterable<string>) {
    this.#names = new Set(names)
    for (const name of this.#names) {
      for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
        this.#objects.add(name.slice(0, dot))
      }
    }
  }

  has(path: string): boolean {
    return this.#names.has(path)
  }

  /** True if the member at a path has one of the names, or contains a member that has one. */
  leadsTo(path: string): boolean {
    return this.#names.has(path) || this.#objects.has(path)
  }
}

/**
 * Returns the members of a JSON object as fields: all, or those in `names`. Nested objects give dotted names; lists,
 * and objects listed in `kept`, stay JSON; `null` is dropped. `undefined` if the string is not a JSON object.
 */
export function flattenJson(
  text: string,
  prefix: string,
  kept: readonly string[],
  names?: MemberNames,
): (readonly [string, Value])[] | undefined {
  let parsed: ExactJson
  try {
    parsed = parseLenient(text)
  } catch {
    return undefined
  }
  if (!isJsonObject(parsed)) return undefined
  const fields: (readonly [string, Value])[] = []
  const walk = (path: string, value: ExactJson): void => {
    if (value === null) return
    if (!isJsonObject(value) || (path !== '' && kept.includes(path))) {
      if (names?.has(path) !== false) fields.push([prefix + path, fieldOfJson(value)])
    } else walkMembers(value, path)
  }
  const walkMembers = (members: ExactJsonObject, above: string): void => {
    for (const key of Object.keys(members)) {
      const path = above === '' ? key : `${above}.${key}`
      if (names?.leadsTo(path) !== false) walk(path, members[key] ?? null)
    }
  }
  walkMembers(parsed, '')
  return fields
}

/** Returns the items of a JSON list; an empty list for other strings. */
export function jsonItems(text: string): readonly ExactJson[] {
  if (!/^\s*\[/.test(text)) return []
  try {
    const parsed = parseLenient(text)
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

/** Splits a string. An empty separator splits it into characters. Throws `budget/…` before there are too many parts. */
export function splitText(text: string, separator: string, meter: Meter): readonly string[] {
  const pieces = new MeteredItems(meter, 'split')
  if (separator === '') for (const character of text) pieces.add(character)
  else {
    let from = 0
    for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, from)) {
      pieces.add(text.slice(from, at))
      from = at + separator.length
    }
    pieces.add(text.slice(from))
  }
  return pieces.items
}
