import { JsonText, parseJsonExact, printJsonExact, type ExactJson, type Value } from '../../data/index.ts'

/** A JSON value as a field: lists and objects stay JSON. */
export function fieldOfJson(value: ExactJson): Value {
  return value !== null && typeof value === 'object' ? new JsonText(printJsonExact(value)) : value === 0 ? 0 : value
}

const BARE = /"(?:[^"\\]|\\.)*"|[+-]?\b(?:NaN|Infinity|Inf)\b/gi

/** Also reads `NaN` and infinities outside quotes, which many programs write; they become texts. */
function parseLenient(text: string): ExactJson {
  try {
    return parseJsonExact(text)
  } catch (error) {
    if (!/NaN|Inf/i.test(text)) throw error
    return parseJsonExact(text.replaceAll(BARE, (token) => (token.startsWith('"') ? token : `"${token}"`)))
  }
}

/**
 * The members of a JSON object as fields: nested objects become dotted names, lists stay JSON, `null` is left out.
 * Objects under a name in `kept` stay JSON too. `undefined` when the text is not JSON object.
 */
export function flattenJson(
  text: string,
  prefix: string,
  kept: readonly string[],
): (readonly [string, Value])[] | undefined {
  let parsed: ExactJson
  try {
    parsed = parseLenient(text)
  } catch {
    return undefined
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) return undefined
  const fields: (readonly [string, Value])[] = []
  const walk = (path: string, value: ExactJson): void => {
    if (value === null) return
    if (typeof value !== 'object' || Array.isArray(value) || (path !== '' && kept.includes(path))) {
      fields.push([prefix + path, fieldOfJson(value)])
      return
    }
    for (const [key, member] of Object.entries(value)) walk(path === '' ? key : `${path}.${key}`, member)
  }
  walk('', parsed)
  return fields
}

/** The items of a JSON list; none for any other text. */
export function jsonItems(text: string): readonly ExactJson[] {
  if (!/^\s*\[/.test(text)) return []
  try {
    const parsed = parseLenient(text)
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

/** Pieces between separators; an empty separator cuts between characters. */
export function splitText(text: string, separator: string): readonly string[] {
  return separator === '' ? Array.from(text) : text.split(separator)
}
