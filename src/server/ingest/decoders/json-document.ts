import { isTooDeep, parseJsonPlain, type PlainJson } from '../../../data/index.ts'

/** Parses a payload as one JSON document; throws an Error with the reason otherwise. */
export function jsonDocument(payload: Uint8Array): PlainJson {
  const text = new TextDecoder('utf-8').decode(payload)
  if (isTooDeep(text)) throw new Error('it is nested too deep')
  return parseJsonPlain(text)
}
