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
