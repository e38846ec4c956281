import { readFileSync, writeFileSync } from 'node:fs'

/** Flips a bit of a file, counted from the lowest of the byte at `at`; a text stands for where the file first has it. */
export function flipBit(path: string, at: number | string, bit = 2): void {
  const bytes = readFileSync(path)
  const place = typeof at === 'string' ? bytes.indexOf(at) : at
  if (place < 0) throw new Error(`${path} has no \`${at}\``)
  bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place)
  writeFileSync(path, bytes)
}
