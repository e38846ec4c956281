/** See `Kernels.keyedRows`. */
export function keyedRows(
  mask: usize,
  maskEnd: usize,
  codes: usize,
  row: u32,
  known: usize,
  rows: usize,
  keys: usize,
  without: usize,
  withoutEnd: usize,
): usize {
  for (; mask < maskEnd; mask += 4, codes += 128, row += 32) {
    for (let bits = load<u32>(mask); bits != 0; bits &= bits - 1) {
      const bit = ctz(bits)
      const key = load<u32>(known + (load<u32>(codes + (bit << 2)) << 2))
      // Whether a row has a key is hard to predict, so both lists are written and one of them advances.
      const step = u32(key > 1) << 2
      store<u32>(rows, row + bit)
      store<u32>(keys, key - 2)
      store<u32>(without, row + bit)
      rows += step
      keys += step
      without += 4 - step
    }
  }
  store<usize>(withoutEnd, without)
  return rows
}

/** See `Kernels.rowPairs`. */
export function rowPairs(
  rows: usize,
  keys: usize,
  keysEnd: usize,
  heads: usize,
  starts: usize,
  others: usize,
  lefts: usize,
  rights: usize,
  rightsEnd: usize,
  done: u32,
  state: usize,
): void {
  while (keys < keysEnd && rights < rightsEnd) {
    const key = load<u32>(keys)
    const head = heads + (key << 3)
    const more = load<u32>(head, 4)
    if (done == 0) {
      store<u32>(lefts, load<u32>(rows))
      store<u32>(rights, load<u32>(head))
      lefts += 4
      rights += 4
      done = 1
    }
    if (more != 0) {
      const start = load<u32>(starts + (key << 2))
      for (; done <= more && rights < rightsEnd; done++) {
        store<u32>(lefts, load<u32>(rows))
        store<u32>(rights, load<u32>(others + ((start + done) << 2)))
        lefts += 4
        rights += 4
      }
      // No memory for the other pairs of this row.
      if (done <= more) break
    }
    done = 0
    rows += 4
    keys += 4
  }
  store<usize>(state, keys)
  store<usize>(state, rights, 4)
  store<u32>(state, done, 8)
}
