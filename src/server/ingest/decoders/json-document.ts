import { isTooDeep, parseJsonPlain, type PlainJson } from '../../../data/index.ts'

/** A payload that is one JSON document; throws an Error that says why it is not. */
export function jsonDocument(payload: Uint8Array): PlainJson {
  const text = new TextDecoder('utf-8').decode(payload)
  if (isTooDeep(text)) throw new Error('it is nested too deep')
  return parseJsonPlain(text)
}
