/**
 * Returns offset and name of the first duplicate member of an object in a JSON text; `undefined` if there is none.
 * `JSON.parse` silently keeps the last duplicate. The text must be valid JSON.
 */
export function memberTwice(text: string): { readonly offset: number; readonly name: string } | undefined {
  /** Names seen in each open object; `undefined` for an open array. */
  const open: (Set<string> | undefined)[] = []
  let isName = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : undefined)
      isName = char === '{'
    } else if (char === '}' || char === ']') {
      open.pop()
      isName = false
    } else if (char === ',') isName = open.at(-1) !== undefined
    else if (char === '"') {
      const start = at
      for (at++; text[at] !== '"' && at < text.length; at++) if (text[at] === '\\') at++
      const names = open.at(-1)
      if (!isName || names === undefined) continue
      isName = false
      const name = JSON.parse(text.slice(start, at + 1)) as string
      if (names.has(name)) return { offset: start, name }
      names.add(name)
    }
  }
  return undefined
}
