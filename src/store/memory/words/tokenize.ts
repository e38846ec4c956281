import { fold, isWordCodePoint, wordsOf } from '../../../data/index.ts'

/** Folded byte of each ASCII word character; 0 for all other ASCII bytes. Bytes from 0x80 on are 0 too. */
export const wordByte = new Uint8Array(256)
for (let byte = 0; byte < 128; byte++) {
  if (isWordCodePoint(byte)) wordByte[byte] = fold(String.fromCharCode(byte)).charCodeAt(0)
}

/** The folded words of any text. */
export function foldedWords(text: string): readonly string[] {
  return wordsOf(text).map(fold)
}
