/** A value nested in a struct column: the path of member names, and its type. */
export interface StructMember {
  readonly path: readonly string[]
  readonly type: string
}

const NAME = /\s*(?:"((?:[^"]|"")*)"|([^\s",()]+))\s+/y

/**
 * Returns the end of the type that begins at an offset: the position of the next comma or closing bracket on its level.
 */
function typeEnd(text: string, from: number): number {
  let depth = 0
  for (let i = from; i < text.length; i++) {
    const char = text[i]
    if (char === '"' || char === "'") {
      // A doubled quote is handled as the end of one quoted name and the start of the next.
      const end = text.indexOf(char, i + 1)
      if (end < 0) return text.length
      i = end
    } else if (char === '(') depth++
    else if (char === ')' && depth-- === 0) return i
    else if (char === ',' && depth === 0) return i
  }
  return text.length
}

/** Returns the leaf values of a DuckDB struct type, in order; empty for other types. */
export function structMembers(type: string): readonly StructMember[] {
  if (!/^STRUCT\(.*\)$/s.test(type)) return []
  const found: StructMember[] = []
  let at = 'STRUCT('.length
  while (at < type.length - 1) {
    NAME.lastIndex = at
    const [whole, quoted, bare = ''] = NAME.exec(type) ?? []
    if (whole === undefined) return []
    const end = typeEnd(type, at + whole.length)
    const inner = type.slice(at + whole.length, end)
    const name = quoted?.replaceAll('""', '"') ?? bare
    const members = structMembers(inner)
    if (members.length === 0) found.push({ path: [name], type: inner })
    else found.push(...members.map((each) => ({ path: [name, ...each.path], type: each.type })))
    at = end + 1
  }
  return found
}
