import { BYTES_PER_CHECKPOINT, work } from '../../../base/index.ts'
import { createBitmap, latin1, setBit, type Bitmap, type TextColumn } from '../../../data/index.ts'

/**
 * Returns the rows of `[from, to)` whose bytes, decoded as Latin-1, match the expression; bit `i` is row `from + i`.
 * Searches many rows as one string. A match across rows is ignored, and its rows are searched again one by one. Whether
 * a match exists must depend on its own characters only.
 */
export function rowsMatching(
  regexp: RegExp,
  column: Pick<TextColumn, 'bytes' | 'offsets'>,
  from: number,
  to: number,
): Bitmap {
  const { bytes, offsets } = column
  const found = createBitmap(to - from)
  const search = new RegExp(regexp.source, `${regexp.flags}g`)
  for (let first = from; first < to;) {
    let last = first + 1
    while (last < to && offsets[last + 1] - offsets[first] <= BYTES_PER_CHECKPOINT) last++
    const start = offsets[first]
    const text = latin1(bytes, start, offsets[last])
    work(text.length >>> 3)
    let row = first
    search.lastIndex = 0
    for (let match = search.exec(text); match !== null; match = search.exec(text)) {
      const at = start + match.index
      while (offsets[row + 1] <= at) row++
      const rowEnd = offsets[row + 1]
      const isInside = at + match[0].length <= rowEnd
      if (isInside || regexp.test(text.slice(offsets[row] - start, rowEnd - start))) setBit(found, row - from)
      // The current row matches, so the search continues at the next row.
      search.lastIndex = rowEnd - start
    }
    first = last
  }
  return found
}
