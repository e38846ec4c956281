/** A value inside a struct column: the names that lead to it, and the name of its type. */
export interface StructMember {
  readonly path: readonly string[]
  readonly type: string
}

const NAME = /\s*(?:"((?:[^"]|"")*)"|([^\s",()]+))\s+/y

/** Where a type that begins at an offset ends: before a comma or a closing bracket that is not its own. */
function typeEnd(text: string, from: number): number {
  let depth = 0
  for (let i = from; i < text.length; i++) {
    const char = text[i]
    if (char === '"' || char === "'") {
      // A doubled quote closes and opens at once.
      const end = text.indexOf(char, i + 1)
      if (end < 0) return text.length
      i = end
    } else if (char === '(') depth++
    else if (char === ')' && depth-- === 0) return i
    else if (char === ',' && depth === 0) return i
  }
  return text.length
}

/** The values inside a struct of DuckDB, down to those that are not structs, in their order; of another type none. */
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
