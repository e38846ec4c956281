import { JsonText, toText } from '../../../value.ts'
import { parseJsonExact, type ExactJson } from '../../../parse-json.ts'
import { needsOfLiteral } from '../word-need.ts'
import { commonNeeds } from '../word-need.ts'
import type { NamedTest } from './definition.ts'

/** Returns the items of a JSON array; `undefined` for any other string. */
export function jsonArrayItems(text: string): readonly ExactJson[] | undefined {
  if (!/^\s*\[/.test(text)) return undefined
  try {
    const parsed = parseJsonExact(text)
    return Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function isScalar(item: ExactJson): item is null | boolean | number | bigint | string | JsonText {
  return item === null || typeof item !== 'object' || item instanceof JsonText
}

/**
 * Arguments: strings. Matches a JSON array with an item that equals one of them. Nested lists and objects never match.
 */
export const jsonArrayContainsAny: NamedTest = {
  name: 'json-array-contains-any',
  text: (args) => {
    const wanted = new Set(args.map(toText))
    return (text) =>
      (jsonArrayItems(text) ?? []).some((item) =>
        isScalar(item) ? wanted.has(item === null ? 'null' : toText(item)) : false,
      )
  },
  words: (args) =>
    commonNeeds(
      args.map((arg) => (/^[\w ]*$/.test(toText(arg)) ? needsOfLiteral(toText(arg), 'boundary', 'boundary') : [])),
    ),
}
