/** The last of `count` places that is so, where the first is taken to be and none is behind one that is not; 0 where there are none. */
export function lastThat(count: number, isSo: (place: number) => boolean): number {
  let first = 0
  let last = count - 1
  while (first < last) {
    const middle = (first + last + 1) >>> 1
    if (isSo(middle)) first = middle
    else last = middle - 1
  }
  return first
}

/** The first number in `[low, high)` that is not before what is looked for; `high` where all are. Those that are before come first. */
export function firstNotBefore(low: number, high: number, isBefore: (index: number) => boolean): number {
  let [first, end] = [low, high]
  while (first < end) {
    const middle = (first + end) >>> 1
    if (isBefore(middle)) first = middle + 1
    else end = middle
  }
  return first
}
