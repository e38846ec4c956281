import { decodeBytes } from '../../../data/index.ts'

const encoder = new TextEncoder()

/** Returns the UTF-8 bytes of a string; Go counts and cuts strings by bytes. */
export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text)
}

/** Decodes UTF-8 that may begin or end inside a character, because Go cuts strings by bytes. */
export function textOfBytes(bytes: Uint8Array): string {
  return decodeBytes([...bytes])
}
