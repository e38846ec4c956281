import { work, checkpoint } from '../../../base/index.ts'

/** Number of elements that are sorted or merged between two checkpoints; takes about a millisecond. */
const RUN = 16_384

/** Cost of one element, in units of `work`. */
const NUMBER_WORK = 1

/**
 * Sorts numbers in place, ascending; none may be NaN or -0. More than `RUN` numbers need a second array of the same
 * size. Passes a checkpoint after each run, so that the query can be cancelled.
 */
export function sortNumbers(values: Float64Array<ArrayBuffer>): void {
  const { length } = values
  for (let start = 0; start < length; start += RUN) {
    const run = values.subarray(start, start + RUN).sort()
    work(run.length * NUMBER_WORK)
    if (length <= RUN) return
    checkpoint()
  }
  let from = values
  let to = new Float64Array(length)
  for (let run = RUN; run < length; run *= 2) {
    for (let start = 0; start < length; start += 2 * run)
      merge(from, to, start, Math.min(length, start + run), Math.min(length, start + 2 * run))
    const before = from
    from = to
    to = before
  }
  if (from !== values) values.set(from)
}

/** Merges the sorted runs `[start, middle)` and `[middle, end)` of `from` into `to`. */
function merge(from: Float64Array, to: Float64Array, start: number, middle: number, end: number): void {
  if (middle === end || from[middle - 1] <= from[middle]) {
    to.set(from.subarray(start, end), start)
    return
  }
  let left = start
  let right = middle
  for (let at = start; at < end;) {
    const stop = Math.min(end, at + RUN)
    work((stop - at) * NUMBER_WORK)
    while (at < stop) {
      if (left === middle || (right < end && from[right] < from[left])) to[at++] = from[right++]
      else to[at++] = from[left++]
    }
    checkpoint()
  }
}
