import type { Fix } from '../../src/console/ask/requests.ts'

/** Applies a fix as it is sent between threads: the last edit first, so that the offsets of the others hold. */
export function applyFix(text: string, { edits }: Fix): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((whole, { start, end, text: put }) => whole.slice(0, start) + put + whole.slice(end), text)
}
