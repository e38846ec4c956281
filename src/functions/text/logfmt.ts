import { quote, readQuoted } from './quoted.ts'

const KEY_NEEDS_QUOTES = /[\s="\p{Cc}]/u
const NEEDS_QUOTES = /[\s"\p{Cc}]/u

/** One `name=value`, quoted where a plain text would not read back. */
export function printLogfmtPair(name: string, value: string): string {
  const key = name === '' || KEY_NEEDS_QUOTES.test(name) ? quote(name) : name
  const isQuoted = NEEDS_QUOTES.test(value) || /^['`]/.test(value)
  return `${key}=${isQuoted ? quote(value) : value}`
}

export function printLogfmt(fields: Iterable<readonly [string, string]>): string {
  return Array.from(fields, ([name, value]) => printLogfmtPair(name, value)).join(' ')
}

const KEY_END = /[=\s]/g
const BLANK = /\s/g

/** `name=value` pairs separated by blanks; a value may be quoted, a name alone has the value `''`. Never fails. */
export function parseLogfmt(text: string): (readonly [string, string])[] {
  const fields: (readonly [string, string])[] = []
  let at = 0
  for (;;) {
    while (at < text.length && /\s/.test(text[at])) at++
    if (at >= text.length) return fields
    const quotedKey = readQuoted(text, at)
    let name: string
    if (quotedKey === undefined) {
      KEY_END.lastIndex = at
      const end = KEY_END.exec(text)?.index ?? text.length
      name = text.slice(at, end)
      at = end
    } else {
      name = quotedKey.value
      at = quotedKey.end
    }
    if (text[at] !== '=') {
      if (name !== '') fields.push([name, ''])
      continue
    }
    at++
    const quoted = readQuoted(text, at)
    if (quoted !== undefined) {
      fields.push([name, quoted.value])
      at = quoted.end
      continue
    }
    BLANK.lastIndex = at
    const end = BLANK.exec(text)?.index ?? text.length
    fields.push([name, text.slice(at, end)])
    at = end
  }
}
