import type { Turns } from './turns.ts'
import { work } from './work.ts'

/** Places that are put in order at once, and places merged between two turns. */
const RUN = 1024

/** The numbers below `length` in order; those that compare equal stay as they are. Yields after each bounded piece of work. */
export function* mergeOrder(length: number, order: (a: number, b: number) => number): Turns<Uint32Array> {
  const compare = (a: number, b: number): number => {
    work(1)
    return order(a, b)
  }
  let from = new Uint32Array(length)
  for (let i = 0; i < length; i++) from[i] = i
  for (let start = 0; start < length; start += RUN) {
    const run = from.subarray(start, start + RUN)
    if (!isInOrder(run, compare)) run.sort(compare)
    if (start + RUN < length) yield
  }
  if (length <= RUN) return from
  let to = new Uint32Array(length)
  for (let run = RUN; run < length; run *= 2) {
    for (let start = 0; start < length; start += 2 * run) {
      yield* merge(from, to, start, Math.min(length, start + run), Math.min(length, start + 2 * run), compare)
    }
    const before = from
    from = to
    to = before
  }
  return from
}

/** The items in order, as `toSorted` gives them, in turns. */
export function* sortedInTurns<T>(items: readonly T[], order: (a: T, b: T) => number): Turns<T[]> {
  const places = yield* mergeOrder(items.length, (a, b) => order(items[a] as T, items[b] as T))
  return Array.from(places, (place) => items[place] as T)
}

function isInOrder(run: Uint32Array, compare: (a: number, b: number) => number): boolean {
  for (let i = 1; i < run.length; i++) if (compare(run[i - 1], run[i]) > 0) return false
  return true
}

/** Merges the runs `[start, middle)` and `[middle, end)`. */
function* merge(
  from: Uint32Array,
  to: Uint32Array,
  start: number,
  middle: number,
  end: number,
  compare: (a: number, b: number) => number,
): Turns<void> {
  if (middle === end || compare(from[middle - 1], from[middle]) <= 0) {
    to.set(from.subarray(start, end), start)
    return
  }
  let left = start
  let right = middle
  for (let at = start; at < end; at++) {
    if ((at & (RUN - 1)) === RUN - 1) yield
    if (left < middle && (right === end || compare(from[left], from[right]) <= 0)) to[at] = from[left++]
    else to[at] = from[right++]
  }
}
