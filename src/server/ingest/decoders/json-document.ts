import { isTooDeep, parseJsonPlain, type PlainJson } from '../../../data/index.ts'

/** Parses a payload as a single JSON document. Throws an Error with the reason if the payload is not one document. */
export function jsonDocument(payload: Uint8Array): PlainJson {
  const text = new TextDecoder('utf-8').decode(payload)
  if (isTooDeep(text)) throw new Error('it is nested too deep')
  return parseJsonPlain(text)
}
