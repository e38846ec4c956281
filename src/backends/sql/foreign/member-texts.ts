import { BACKSLASH, QUOTE } from '../../../base/index.ts'

/** Returns the position after the JSON string whose opening quote is at `from`. */
function afterQuoted(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    const unit = json.charCodeAt(at)
    if (unit === BACKSLASH) at++
    else if (unit === QUOTE) return at + 1
  }
  return json.length
}

/** Returns the position of the comma or closing bracket after the JSON value at `from`. */
function afterValue(json: string, from: number): number {
  let depth = 0
  for (let at = from; at < json.length;) {
    const char = json[at]
    if (char === '"') {
      at = afterQuoted(json, at)
      continue
    }
    if (depth === 0 && (char === ',' || char === '}')) return at
    if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
    at++
  }
  return json.length
}

/**
 * Returns the unchanged JSON of each member of a JSON object, by name: the string that a database returns when it reads
 * the single member.
 */
export function memberTexts(json: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (let at = json.indexOf('"'); at !== -1; at = json.indexOf('"', at)) {
    const behindName = afterQuoted(json, at)
    const name = JSON.parse(json.slice(at, behindName)) as string
    const from = json.indexOf(':', behindName) + 1
    at = afterValue(json, from)
    found.set(name, json.slice(from, at).trim())
  }
  return found
}
