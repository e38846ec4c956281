import { fold, isWordCodePoint, wordsOf } from '../../../data/index.ts'

/** For each byte that is a word character, its folded form; 0 for all other bytes, including those from 0x80. */
export const wordByte = new Uint8Array(256)
for (let byte = 0; byte < 128; byte++) {
  if (isWordCodePoint(byte)) wordByte[byte] = fold(String.fromCharCode(byte)).charCodeAt(0)
}

/** Returns the folded words of a text. */
export function foldedWords(text: string): readonly string[] {
  return wordsOf(text).map(fold)
}
