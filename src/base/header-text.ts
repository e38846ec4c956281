const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A text as the value of a header of HTTP: the bytes of its UTF-8, each as a character. */
export function headerOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
}

/** The text of a header's value without blanks around it: its bytes are UTF-8, or Latin-1 where they cannot be. */
export function headerText(value: string): string {
  // Not `trim`: the last byte of `à` in UTF-8 is a space in Latin-1.
  const inner = value.replaceAll(/^[ \t]+|[ \t]+$/g, '')
  try {
    return utf8.decode(Uint8Array.from(inner, (character) => character.charCodeAt(0)))
  } catch {
    return inner
  }
}
