const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Encodes a text as the value of an HTTP header: each byte of its UTF-8 as a character. */
export function headerOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
}

/** Decodes a header's value without blanks around it: as UTF-8, or as Latin-1 when it is not valid UTF-8. */
export function headerText(value: string): string {
  // Not `trim`: the last byte of `à` in UTF-8 is a space in Latin-1.
  const inner = value.replaceAll(/^[ \t]+|[ \t]+$/g, '')
  try {
    return utf8.decode(Uint8Array.from(inner, (character) => character.charCodeAt(0)))
  } catch {
    return inner
  }
}
