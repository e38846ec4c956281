const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Encodes a string as an HTTP header value: each byte of its UTF-8 form becomes one character. */
export function headerOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
}

/** Decodes a header value, without blanks around it, as UTF-8, or as Latin-1 if it is not valid UTF-8. */
export function headerText(value: string): string {
  // `trim` would also remove U+00A0, which is the last byte of `à` in UTF-8.
  const inner = value.replaceAll(/^[ \t]+|[ \t]+$/g, '')
  try {
    return utf8.decode(Uint8Array.from(inner, (character) => character.charCodeAt(0)))
  } catch {
    return inner
  }
}
