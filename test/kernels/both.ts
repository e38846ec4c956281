import { KernelMemory, type Kernels, layout } from '../../src/kernels/index.ts'
import { Views } from '../../src/kernels/plain/views.ts'

const PAGE_BYTES = 65_536

/** Memory offsets of the inputs and outputs of a test. The bytes before `INPUT_AT` are for small arguments. */
export const INPUT_AT = 4096
export const OUT_AT = 2 * PAGE_BYTES
const MEMORY_BYTES = 4 * PAGE_BYTES

/** End of the last input that a test may place: kernels may read up to `SLACK_BYTES` beyond it. */
export const LAST_AT = MEMORY_BYTES - layout.SLACK_BYTES

const memories = [new KernelMemory(MEMORY_BYTES), new KernelMemory(MEMORY_BYTES, 'none')]

/** Runs a kernel and its TypeScript counterpart on memories with the same content, and returns both results. */
export function both<R>(run: (kernels: Kernels, views: Views) => R): { readonly compiled: R; readonly plain: R } {
  const [compiled, plain] = memories.map(({ buffer, kernels }) => {
    const views = new Views(buffer)
    views.bytes.fill(0)
    return run(kernels, views)
  }) as [R, R]
  return { compiled, plain }
}

/** Returns the 32-bit words in a range of bytes. */
export function wordsAt({ words }: Views, at: number, end: number): readonly number[] {
  return Array.from(words.subarray(at / 4, end / 4))
}

export function bytesAt({ bytes }: Views, at: number, end: number): string {
  return Array.from(bytes.subarray(at, end), (byte) => String.fromCharCode(byte)).join('')
}
