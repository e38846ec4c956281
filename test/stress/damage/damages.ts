import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import type { Random } from '../../../src/base/index.ts'
import { flipBit } from '../../harness/flip-bit.ts'

/**
 * Damages a file. `other` is the same file of another data folder. Returns false if this damage cannot be done to the
 * file.
 */
export type Damage = (path: string, random: Random, other: string) => boolean

const PAGE_BYTES = 4096

function flip(path: string, random: Random): boolean {
  const { size } = statSync(path)
  if (size === 0) return false
  flipBit(path, random.below(size), random.below(8))
  return true
}

function overwrite(path: string, random: Random, fill: (length: number) => Uint8Array): boolean {
  const bytes = readFileSync(path)
  if (bytes.length === 0) return false
  const start = random.below(Math.ceil(bytes.length / PAGE_BYTES)) * PAGE_BYTES
  const before = Buffer.from(bytes)
  bytes.set(fill(Math.min(PAGE_BYTES, bytes.length - start)), start)
  writeFileSync(path, bytes)
  return !bytes.equals(before)
}

export const damages: ReadonlyMap<string, Damage> = new Map<string, Damage>([
  ['one flipped bit', flip],
  [
    'cut in half',
    (path) => {
      const { length } = readFileSync(path)
      truncateSync(path, Math.floor(length / 2))
      return length > 0
    },
  ],
  [
    'last 300 bytes gone',
    (path) => {
      const { length } = readFileSync(path)
      truncateSync(path, Math.max(0, length - 300))
      return length > 0
    },
  ],
  ['emptied', (path) => readFileSync(path).length > 0 && (writeFileSync(path, ''), true)],
  [
    'removed',
    (path) => {
      rmSync(path)
      return true
    },
  ],
  ['a page of zeros', (path, random) => overwrite(path, random, (length) => new Uint8Array(length))],
  [
    'a page of noise',
    (path, random) => overwrite(path, random, (length) => Uint8Array.from({ length }, () => random.below(256))),
  ],
  [
    'that of another folder',
    (path, _, other) => {
      const before = readFileSync(path)
      copyFileSync(other, path)
      return !before.equals(readFileSync(path))
    },
  ],
])
