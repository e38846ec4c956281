const CLOSING: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])
const QUOTES = new Set(['"', "'", '`'])

/** Where a quoted text ends that opens at `from`; `undefined` when it does not. Only backticks keep a backslash as it is. */
function endOfQuoted(text: string, from: number): number | undefined {
  const quote = text.charAt(from)
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === quote) return at
    if (text[at] === '\\' && quote !== '`') at++
  }
  return undefined
}

/** Whether a query plainly goes on in the next line: behind `|`, a comma or a backslash, in a bracket or a quoted text. */
export function isUnfinished(text: string): boolean {
  const open: string[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (QUOTES.has(character)) {
      const end = endOfQuoted(text, at)
      if (end === undefined) return true
      at = end
    } else if (character === '#') {
      const end = text.indexOf('\n', at)
      if (end === -1) break
      at = end
    } else if (CLOSING.has(character)) open.push(character)
    else if (open.length > 0 && CLOSING.get(open.at(-1) ?? '') === character) open.pop()
  }
  return open.length > 0 || /[|,\\]\s*$/.test(text)
}
