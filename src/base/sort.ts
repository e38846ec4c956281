import { work } from './work.ts'

/** Like `toSorted`, with checkpoints of the running query. */
export function sortedBy<T>(items: readonly T[], order: (a: T, b: T) => number): T[] {
  return items.toSorted((a, b) => {
    work(1)
    return order(a, b)
  })
}

/** Returns the first `count` items in the order of `sortedBy`; holds at most twice as many in memory. */
export function firstBy<T>(items: Iterable<T>, order: (a: T, b: T) => number, count: number): T[] {
  let kept: T[] = []
  let last: T | undefined
  for (const item of items) {
    work(1)
    if (last !== undefined && order(item, last) >= 0) continue
    kept.push(item)
    if (kept.length < 2 * count) continue
    kept = sortedBy(kept, order).slice(0, count)
    last = kept.at(-1)
  }
  return sortedBy(kept, order).slice(0, count)
}

/** Returns the integers `[0, length)` in stable order, with checkpoints of the running query. */
export function sortedIndexes(length: number, order: (a: number, b: number) => number): Uint32Array {
  return Uint32Array.from(
    sortedBy(
      Array.from({ length }, (_, i) => i),
      order,
    ),
  )
}
