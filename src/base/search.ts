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
