import { readEscape, TextBuilder } from './escapes.ts'

/** The content of a quoted string in data, and the position of its end. */
export interface Quoted {
  readonly value: string
  readonly end: number
}

/**
 * Reads a quoted string that starts at `from`: in double or single quotes with the escapes of Go and JSON, or in
 * backquotes without escapes. Returns `undefined` if there is no string, if it is not closed, or if it has an invalid
 * escape or a line break. With `isLenient` an invalid escape stands for itself; with `takesLines` line breaks are
 * allowed.
 */
export function readQuoted(text: string, from = 0, isLenient = false, takesLines = isLenient): Quoted | undefined {
  const code = text.charCodeAt(from)
  if (code !== 0x22 && code !== 0x27 && code !== 0x60) return undefined
  const quote = text.charAt(from)
  const close = text.indexOf(quote, from + 1)
  if (close === -1) return undefined
  const plain = text.slice(from + 1, close)
  if (quote === '`') return { value: plain, end: close + 1 }
  if (!takesLines && plain.includes('\n')) return undefined
  if (!plain.includes('\\')) return { value: plain, end: close + 1 }
  const value = new TextBuilder()
  for (let i = from + 1; i < text.length;) {
    const character = text.charAt(i)
    if (character === quote) return { value: value.finish(), end: i + 1 }
    if (character !== '\\') {
      if (character === '\n' && !takesLines) return undefined
      value.addText(character)
      i++
      continue
    }
    const escape = readEscape(text, i)
    if (escape.kind === 'byte') value.addByte(escape.byte)
    else if (escape.kind === 'text') value.addText(escape.text)
    else if (text[i + 1] === '/') value.addText('/')
    // JSON writes a character beyond U+FFFF as an escaped surrogate pair.
    else if (escape.kind === 'not-a-character' && escape.code <= 0xffff) value.addText(String.fromCharCode(escape.code))
    else if (isLenient) value.addText(text.slice(i, i + escape.length))
    else return undefined
    i += escape.length
  }
  return undefined
}
