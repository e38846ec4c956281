/**
 * Returns, by binary search, the first number in `[low, high)` for which `isBefore` is false; `high` if there is none.
 * `isBefore` must not become true again after it was false.
 */
export function firstNotBefore(low: number, high: number, isBefore: (index: number) => boolean): number {
  let [first, end] = [low, high]
  while (first < end) {
    const middle = (first + end) >>> 1
    if (isBefore(middle)) first = middle + 1
    else end = middle
  }
  return first
}

/**
 * Returns, by binary search, the last of the positions `[0, count)` for which `isSo` is true; 0 if `count` is 0. `isSo`
 * must be true for the first position, and must not become true again after it was false.
 */
export function lastThat(count: number, isSo: (index: number) => boolean): number {
  return firstNotBefore(1, count, isSo) - 1
}
