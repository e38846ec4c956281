import type { PlainJson } from '../../data/index.ts'

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the decoded member name that corresponds to a name as the client spelled it. */
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
    // Keeps a member that the schema does not know, if it has a value: the client may rely on it.
    else if (name === undefined && value !== null && value !== '') members.push([given, value as PlainJson])
  }
  return Object.fromEntries(members)
}

/**
 * Merges a body as sent with its decoded form, for storage. Known members get the specification's spelling of names and
 * words. Unknown members and unchanged values stay as sent, at every depth.
 */
export function keepUnknown(sent: unknown, decoded: unknown): PlainJson {
  if (decoded instanceof Map) return Object.fromEntries(decoded) as PlainJson
  if (Array.isArray(sent) && Array.isArray(decoded)) return sent.map((item, i) => keepUnknown(item, decoded[i]))
  if (isObject(sent) && isObject(decoded)) return ofObject(sent, decoded)
  // Decoding turned this number into a string; the definition is stored with the number.
  if (typeof decoded === 'string' && (typeof sent === 'number' || typeof sent === 'bigint')) return sent
  return decoded as PlainJson
}
