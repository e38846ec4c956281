import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Flips a bit of a file. Bits are counted from the lowest one of the byte at `at`. A string stands for the offset at
 * which the file first contains it.
 */
export function flipBit(path: string, at: number | string, bit = 2): void {
  const bytes = readFileSync(path)
  const place = typeof at === 'string' ? bytes.indexOf(at) : at
  if (place < 0) throw new Error(`${path} has no \`${at}\``)
  bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place)
  writeFileSync(path, bytes)
}
