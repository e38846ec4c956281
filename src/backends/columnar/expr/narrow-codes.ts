import { countBits, popcount, type Bitmap, type DictionaryColumn } from '../../../data/index.ts'
import { rowsOfCode, type StoredColumn } from '../../../store/index.ts'
import type { CodeSet } from './code-set.ts'
import type { Counters } from './counters.ts'

/** Up to so many bits of a word are looked at one by one. */
const FEW_BITS = 12
/** More codes than this are not looked up one by one. */
const MAX_LOOKUPS = 64

/** By looking at the code of every row still in question. */
export function narrowByCodes(column: DictionaryColumn, { passes }: CodeSet, mask: Bitmap): void {
  const { codes, length } = column
  for (let i = 0; i < mask.length; i++) {
    let word = mask[i]
    if (word === 0) continue
    const base = i << 5
    if (popcount(word) <= FEW_BITS || base + 32 > length) {
      let kept = word
      while (word !== 0) {
        const low = word & -word
        if (passes[codes[base + 31 - Math.clz32(low)]] === 0) kept ^= low
        word ^= low
      }
      mask[i] = kept
      continue
    }
    let bits = 0
    for (let k = 0; k < 32; k++) bits |= passes[codes[base + k]] << k
    mask[i] = word & bits
  }
}

/**
 * By the lists of rows of each code, where those that pass or those that do not are few. False when a look at the codes
 * is cheaper; then nothing is done.
 */
export function narrowByOrder(
  stored: StoredColumn,
  column: DictionaryColumn,
  set: CodeSet,
  mask: Bitmap,
  counters: Counters,
): boolean {
  const { order, counts } = stored
  if (order === undefined) return false
  const { length } = column
  if (counts === undefined) {
    if (set.list.length > MAX_LOOKUPS) return false
    const having = emptied(mask.length)
    for (const code of set.list) {
      const rows = rowsOfCode(order, column.codes, code)
      counters.postingsRead += rows.length
      addRows(having, rows)
    }
    for (let i = 0; i < mask.length; i++) mask[i] &= having[i]
    return true
  }
  let passing = 0
  for (let i = 0; i < set.list.length && set.list[i] < counts.length; i++) passing += counts[set.list[i]]
  if (passing === length) return true
  if (passing === 0) {
    mask.fill(0)
    return true
  }
  const fewer = Math.min(passing, length - passing)
  if (fewer > countBits(mask) * 2) return false
  counters.postingsRead += fewer
  const listed = emptied(mask.length)
  if (passing <= length - passing) {
    for (let i = 0; i < set.list.length && set.list[i] < counts.length; i++) {
      addRows(listed, rowsOfCode(order, column.codes, set.list[i]))
    }
    for (let i = 0; i < mask.length; i++) mask[i] &= listed[i]
  } else {
    for (let code = 0; code < counts.length; code++) {
      if (set.passes[code] === 0 && counts[code] > 0) addRows(listed, rowsOfCode(order, column.codes, code))
    }
    for (let i = 0; i < mask.length; i++) mask[i] &= ~listed[i]
  }
  return true
}

let scratch: Bitmap = new Uint32Array(0)

/** A bitmap without rows, to be used up before the next one is asked for. */
function emptied(words: number): Bitmap {
  if (scratch.length < words) scratch = new Uint32Array(words)
  return scratch.fill(0, 0, words)
}

function addRows(target: Bitmap, rows: Uint16Array): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    target[row >>> 5] |= 1 << (row & 31)
  }
}

/** Whether no row of the segment passes, when the order of codes says so quickly. */
export function hasNoneOf(stored: StoredColumn, column: DictionaryColumn, set: CodeSet): boolean {
  const { order, counts } = stored
  if (counts !== undefined) {
    for (let i = 0; i < set.list.length && set.list[i] < counts.length; i++) if (counts[set.list[i]] > 0) return false
    return true
  }
  if (order === undefined || set.list.length > 4) return false
  return set.list.every((code) => rowsOfCode(order, column.codes, code).length === 0)
}
