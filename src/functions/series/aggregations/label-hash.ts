import { xxh64, type Labels } from '../../../data/index.ts'

const encoder = new TextEncoder()

function pushText(bytes: number[], text: string): void {
  const encoded = encoder.encode(text)
  const size = encoded.length
  if (size < 255) bytes.push(size)
  else bytes.push(255, size & 255, (size >> 8) & 255, (size >> 16) & 255)
  for (const byte of encoded) bytes.push(byte)
}

/** Returns the hash of a label set divided by 2^64, which is evenly distributed in [0, 1). */
export function labelsHash(labels: Labels): number {
  const bytes: number[] = []
  for (let i = 0; i < labels.size; i++) {
    pushText(bytes, labels.names[i])
    pushText(bytes, labels.values[i])
  }
  return Number(xxh64(Uint8Array.from(bytes))) / 2 ** 64
}

/** Clamps a ratio to [−1, 1]. */
export function cappedRatio(ratio: number): number {
  return Math.max(-1, Math.min(1, ratio))
}
