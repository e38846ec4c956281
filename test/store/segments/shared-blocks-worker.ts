import { parentPort, threadId, workerData } from 'node:worker_threads'
import { SharedBlocks, fileKey } from '../../../src/store/segments/shared-blocks.ts'

type FileKey = ReturnType<typeof fileKey>

/** Returns bytes that differ for each block. */
export function contentOf({ low }: FileKey, block: number, bytes: number): Uint8Array {
  const content = new Uint8Array(bytes)
  let state = (low ^ Math.imul(block + 1, 0x9e3779b1)) | 1
  for (let i = 0; i < bytes; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    content[i] = state >>> 24
  }
  return content
}

export function readFrom(blocks: SharedBlocks, key: FileKey, block: number): Uint8Array | undefined {
  let into: Uint8Array | undefined
  return blocks.read(key, block, (bytes) => (into = new Uint8Array(bytes))) ? into : undefined
}

/**
 * Reads and writes blocks of random sizes. Returns how many were found. Throws if a block differs from what was
 * written.
 */
export function checkedRounds(blocks: SharedBlocks, seed: number, rounds: number): number {
  const files = Array.from({ length: 4 }, (_, i) => fileKey(`/data/file-${i}.part`))
  let state = seed
  const draw = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >>> 8) % below
  }
  let found = 0
  for (let round = 0; round < rounds; round++) {
    const key = files[draw(files.length)] as FileKey
    const block = draw(30)
    const content = contentOf(key, block, 4096 + ((block * 7919) % 60_000))
    const read = readFrom(blocks, key, block)
    if (read === undefined) blocks.write(key, block, content)
    else if (Buffer.compare(read, content) === 0) found++
    else throw new Error(`block ${block} is another than was written`)
    if (draw(200) === 0) blocks.remove(key)
  }
  return found
}

if (parentPort !== null && workerData?.memory !== undefined) {
  const { memory, seed, rounds } = workerData as { memory: SharedArrayBuffer; seed: number; rounds: number }
  parentPort.postMessage(checkedRounds(new SharedBlocks(memory, threadId), seed, rounds), [])
}
