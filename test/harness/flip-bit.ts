import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Flips one bit of a file. `at` is a byte offset, or a string whose first occurrence in the file gives the offset.
 * `bit` counts from the lowest bit of that byte. Throws if the file does not contain the string.
 */
export function flipBit(path: string, at: number | string, bit = 2): void {
  const bytes = readFileSync(path)
  const place = typeof at === 'string' ? bytes.indexOf(at) : at
  if (place < 0) throw new Error(`${path} has no \`${at}\``)
  bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place)
  writeFileSync(path, bytes)
}
