import { work } from './work.ts'

/** Sorts like `toSorted` and passes checkpoints of the running query. */
export function sortedBy<T>(items: readonly T[], order: (a: T, b: T) => number): T[] {
  return items.toSorted((a, b) => {
    work(1)
    return order(a, b)
  })
}

/** Returns the numbers below `length` in order, stable, with checkpoints of the running query. */
export function sortedPlaces(length: number, order: (a: number, b: number) => number): Uint32Array {
  return Uint32Array.from(
    sortedBy(
      Array.from({ length }, (_, i) => i),
      order,
    ),
  )
}
