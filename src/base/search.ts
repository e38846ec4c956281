/**
 * Returns the first number in `[low, high)` for which `isBefore` is false; `high` when there is none. Those for which
 * it is true must come first.
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
 * Returns the last of `count` positions for which `isSo` holds; 0 when there are none. The first one must hold, and
 * none may follow one that does not.
 */
export function lastThat(count: number, isSo: (place: number) => boolean): number {
  return firstNotBefore(1, count, isSo) - 1
}
