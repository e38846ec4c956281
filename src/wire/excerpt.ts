const MAX_EXCERPT = 80

function oneLine(text: string): string {
  let clean = ''
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    const isPlain =
      code >= 0x20 && code !== 0x7f && !(code >= 0x80 && code < 0xa0) && code !== 0x2028 && code !== 0x2029
    const isSurrogate = code >= 0xd800 && code <= 0xdfff
    clean += isPlain && !isSurrogate ? char : ' '
    if (clean.length > MAX_EXCERPT) return `${clean.slice(0, MAX_EXCERPT).replace(/[\uD800-\uDBFF]$/, '')}…`
  }
  return clean
}

/** What a sender wrote, safe to echo: one line, no control characters, at most 80 characters. */
export function excerpt(text: string): string {
  return oneLine(text)
}

/** Names a JSON value in a sentence: `the number 5`, `the text "abc"`, `a list`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return '`null`'
  if (typeof value === 'string') return `the text "${excerpt(value)}"`
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${excerpt(String(value))}`
  if (typeof value === 'boolean') return `\`${value}\``
  if (Array.isArray(value)) return 'a list'
  return 'an object'
}
