import { KernelMemory, type Kernels, layout } from '../../src/kernels/index.ts'
import { Views } from '../../src/kernels/plain/views.ts'

const PAGE_BYTES = 65_536

/** Where inputs and outputs of a test may begin; the first bytes are for small things. */
export const INPUT_AT = 4096
export const OUT_AT = 2 * PAGE_BYTES
const MEMORY_BYTES = 4 * PAGE_BYTES

/** The end of the last input that kernels may be given: whole vectors after it still belong to the memory. */
export const LAST_AT = MEMORY_BYTES - layout.SLACK_BYTES

const memories = [new KernelMemory(MEMORY_BYTES), new KernelMemory(MEMORY_BYTES, 'none')]

/** Runs a kernel and its TypeScript twin on memories with the same content, and returns both results. */
export function both<R>(run: (kernels: Kernels, views: Views) => R): { readonly compiled: R; readonly plain: R } {
  const [compiled, plain] = memories.map(({ buffer, kernels }) => {
    const views = new Views(buffer)
    views.bytes.fill(0)
    return run(kernels, views)
  }) as [R, R]
  return { compiled, plain }
}

/** Words of four bytes of a range. */
export function wordsAt({ words }: Views, at: number, end: number): readonly number[] {
  return Array.from(words.subarray(at / 4, end / 4))
}

export function bytesAt({ bytes }: Views, at: number, end: number): string {
  return Array.from(bytes.subarray(at, end), (byte) => String.fromCharCode(byte)).join('')
}
