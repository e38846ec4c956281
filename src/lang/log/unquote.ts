import { readEscape, TextBuilder, type Escape } from '../../data/index.ts'

/** An invalid escape sequence in a quoted string: position and reason. */
export interface QuoteFault {
  readonly start: number
  readonly end: number
  readonly reason: string
}

export interface Unquoted {
  readonly value: string
  readonly fault: QuoteFault | undefined
}

/**
 * Returns the offset after the closing quote of the string that starts at `start`; -1 if the string never closes.
 * Inside back quotes, a backslash is an ordinary character.
 */
export function endOfQuoted(source: string, start: number): number {
  const quote = source.charCodeAt(start)
  const isRaw = quote === 96
  for (let i = start + 1; i < source.length; i++) {
    const unit = source.charCodeAt(i)
    if (unit === quote) return i + 1
    if (unit === 92 && !isRaw) i++
  }
  return -1
}

/**
 * Decodes the quoted token `[start, end)` to its string. Never throws; reports the first invalid escape in the result.
 */
export function unquote(source: string, start: number, end: number): Unquoted {
  const body = source.slice(start + 1, end - 1)
  if (source[start] === '`' || !body.includes('\\')) return { value: body, fault: loneSurrogate(body, start + 1) }
  const value = new TextBuilder()
  let fault: QuoteFault | undefined
  for (let i = 0; i < body.length;) {
    if (body[i] !== '\\') {
      const next = body.indexOf('\\', i)
      const stop = next === -1 ? body.length : next
      value.addText(body.slice(i, stop))
      i = stop
      continue
    }
    const escape = readEscape(body, i)
    const written = body.slice(i + 1, i + escape.length)
    if (escape.kind === 'byte') value.addByte(escape.byte)
    else value.addText(escape.kind === 'text' ? escape.text : escape.kind === 'not-a-character' ? '\ufffd' : written)
    const reason = reasonOf(escape, written)
    if (reason !== undefined && fault === undefined) {
      fault = { start: start + 1 + i, end: start + 1 + i + escape.length, reason }
    }
    i += escape.length
  }
  return { value: value.finish(), fault: fault ?? loneSurrogate(body, start + 1) }
}

function reasonOf(escape: Escape, written: string): string | undefined {
  switch (escape.kind) {
    case 'text':
    case 'byte':
      return undefined
    case 'missing-digits':
      return `\`\\${written}\` needs ${escape.digits} hexadecimal digits`
    case 'not-a-character':
      return `\`\\${written}\` is not a character`
    case 'unknown':
      return `\`\\${written}\` is not an escape`
  }
}

function loneSurrogate(body: string, offset: number): QuoteFault | undefined {
  if (body.isWellFormed()) return undefined
  const at = body.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/)
  return { start: offset + at, end: offset + at + 1, reason: 'half of a surrogate pair is not a character' }
}
