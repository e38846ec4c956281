const BLANK = /\s/

/** Yields the source of each JSON value in a string of consecutive values, with or without whitespace between them. */
export function* jsonTexts(text: string): Generator<string> {
  let at = 0
  for (;;) {
    while (at < text.length && BLANK.test(text.charAt(at))) at++
    if (at >= text.length) return
    const end = endOf(text, at)
    yield text.slice(at, end)
    at = end
  }
}

/**
 * Returns the end offset of the JSON value that starts at `from`. Brackets outside strings are balanced; a bare literal
 * ends at whitespace.
 */
function endOf(text: string, from: number): number {
  let depth = 0
  let isInString = false
  for (let i = from; i < text.length; i++) {
    const char = text.charAt(i)
    if (isInString) {
      if (char === '\\') i++
      else if (char === '"') isInString = false
      else continue
      if (!isInString && depth === 0) return i + 1
    } else if (char === '"') isInString = true
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      depth--
      if (depth <= 0) return i + 1
    } else if (depth === 0 && BLANK.test(char)) return i
  }
  return text.length
}
