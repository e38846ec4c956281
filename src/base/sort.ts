import { work } from './work.ts'

/** The items in order, as `toSorted` gives them; looks at the limits of the query whose work is running. */
export function sortedBy<T>(items: readonly T[], order: (a: T, b: T) => number): T[] {
  return items.toSorted((a, b) => {
    work(1)
    return order(a, b)
  })
}

/** The numbers below `length` in order; those that compare equal stay as they are. Likewise. */
export function sortedPlaces(length: number, order: (a: number, b: number) => number): Uint32Array {
  return Uint32Array.from(
    sortedBy(
      Array.from({ length }, (_, i) => i),
      order,
    ),
  )
}
