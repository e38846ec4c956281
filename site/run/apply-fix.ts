import type { Fix } from '../../src/console/ask/requests.ts'

/** Applies the edits of a fix from the last to the first, so that the offsets of the remaining edits stay valid. */
export function applyFix(text: string, { edits }: Fix): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((whole, { start, end, text: put }) => whole.slice(0, start) + put + whole.slice(end), text)
}
