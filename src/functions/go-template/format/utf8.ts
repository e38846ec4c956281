import { decodeBytes } from '../../../data/index.ts'

const encoder = new TextEncoder()

/** Returns the bytes that Go counts and cuts in a string. */
export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text)
}

/** Decodes UTF-8 that may begin or end inside a character, as after cutting a string by bytes. */
export function textOfBytes(bytes: Uint8Array): string {
  return decodeBytes([...bytes])
}
