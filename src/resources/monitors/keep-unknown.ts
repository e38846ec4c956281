import type { PlainJson } from '../../data/index.ts'

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The decoded member that a sent name stands for. */
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
    // What decoding left out although it has a value has no meaning here, but it has one to its sender.
    else if (name === undefined && value !== null && value !== '') members.push([given, value as PlainJson])
  }
  return Object.fromEntries(members)
}

/**
 * A sent body in the spelling of the specification, unknown members kept at every depth: names and words come from what
 * was decoded of it, values that decoding took as they are from what was sent.
 */
export function keepUnknown(sent: unknown, decoded: unknown): PlainJson {
  if (decoded instanceof Map) return Object.fromEntries(decoded) as PlainJson
  if (Array.isArray(sent) && Array.isArray(decoded)) return sent.map((item, i) => keepUnknown(item, decoded[i]))
  if (isObject(sent) && isObject(decoded)) return ofObject(sent, decoded)
  // A number that a text member takes stays the number it was sent as.
  if (typeof decoded === 'string' && (typeof sent === 'number' || typeof sent === 'bigint')) return sent
  return decoded as PlainJson
}
