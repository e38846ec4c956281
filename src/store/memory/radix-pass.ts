/**
 * Sorts `items` into `target` by some bits of their keys: one pass of a stable radix sort. `starts` must have one
 * element more than there are values of these bits.
 */
export function radixPass(
  items: Uint32Array,
  target: Uint32Array,
  { keys, shift, starts }: { readonly keys: ArrayLike<number>; readonly shift: number; readonly starts: Uint32Array },
): void {
  const mask = starts.length - 2
  starts.fill(0)
  for (let i = 0; i < items.length; i++) starts[((keys[items[i]] >>> shift) & mask) + 1]++
  for (let i = 1; i < starts.length; i++) starts[i] += starts[i - 1]
  for (let i = 0; i < items.length; i++) {
    const item = items[i]
    target[starts[(keys[item] >>> shift) & mask]++] = item
  }
}
