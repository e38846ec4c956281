import type { PlainJson } from '../../data/index.ts'

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Decoded member for a name as sent. */
function decodedName(decoded: Readonly<Record<string, unknown>>, sent: string): string | undefined {
  if (Object.hasOwn(decoded, sent)) return sent
  const folded = sent.toLowerCase()
  return Object.keys(decoded).find((name) => name.toLowerCase() === folded)
}

function ofObject(sent: Readonly<Record<string, unknown>>, decoded: Readonly<Record<string, unknown>>): PlainJson {
  const members: [string, PlainJson][] = []
  for (const [given, value] of Object.entries(sent)) {
    const name = decodedName(decoded, given)
    if (name !== undefined && decoded[name] !== undefined) members.push([name, keepUnknown(value, decoded[name])])
    // A member that decoding dropped although it has a value means something to its sender.
    else if (name === undefined && value !== null && value !== '') members.push([given, value as PlainJson])
  }
  return Object.fromEntries(members)
}

/**
 * A body in the specification's spelling with unknown members kept at every depth: names and words come from the
 * decoded body, unchanged values from the sent one.
 */
export function keepUnknown(sent: unknown, decoded: unknown): PlainJson {
  if (decoded instanceof Map) return Object.fromEntries(decoded) as PlainJson
  if (Array.isArray(sent) && Array.isArray(decoded)) return sent.map((item, i) => keepUnknown(item, decoded[i]))
  if (isObject(sent) && isObject(decoded)) return ofObject(sent, decoded)
  // A number in a string member stays a number.
  if (typeof decoded === 'string' && (typeof sent === 'number' || typeof sent === 'bigint')) return sent
  return decoded as PlainJson
}
