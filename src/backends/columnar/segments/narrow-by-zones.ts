import { firstRowFrom, type Bitmap, type ValueTestOf } from '../../../data/index.ts'
import { bitmapOfCode, rowsOfCode, zoneRows, zoneShift, type CodeZones, type Segment } from '../../../store/index.ts'
import { listedInRange } from '../expr/listed-numbers.ts'
import { keepListed } from '../expr/mask.ts'
import { canReach, closedRange } from '../expr/narrow-range.ts'
import type { NamedTest } from '../expr/predicate.ts'

type RangeTest = ValueTestOf<'range'>

const WORDS_OF_ZONE = zoneRows >>> 5
/** Rows are looked at one by one when at most one in so many has a code that passes. */
const FEW_ROWS_ONE_IN = 8

/**
 * Where a field's numbers in a range are listed, these rows are left for the other tests. Where both a field of few codes and a numeric field are tested: rows with a code that passes and a number in the range are
 * often in few zones although each alone is everywhere. Clears the other zones, and where few rows have such a code, all rows
 * without such a number.
 */
export function narrowByZones(segment: Segment, tests: readonly NamedTest[], mask: Bitmap): void {
  if (tests.length < 2) return
  let isBesideCodes: boolean | undefined
  for (const { name, test } of tests) {
    const range = test.test
    if (range.kind !== 'range') continue
    const stored = segment.columns.get(name)
    // Beside words, which leave few rows, nothing is read of a list.
    isBesideCodes ??= tests.some((other) => segment.columns.get(other.name)?.column.kind === 'dictionary')
    if (!isBesideCodes) return
    if (stored === undefined) continue
    const listed = listedInRange(stored, range)
    if (listed !== undefined) {
      keepListed(mask, [listed])
      continue
    }
    if (stored.zonesByCode.size === 0) continue
    for (const other of tests) {
      const byCode = stored.zonesByCode.get(other.name)
      const coded = segment.columns.get(other.name)
      if (byCode === undefined || coded?.column.kind !== 'dictionary') continue
      const { codes, dictionary } = coded.column
      const list = other.test.codes(dictionary).list.filter((code) => code < byCode.codes)
      const { counts } = coded
      const rowCount = list.reduce((sum, code) => sum + (counts?.[code] ?? Infinity), 0)
      const closed = closedRange(range)
      const isFew = closed !== undefined && rowCount * FEW_ROWS_ONE_IN < segment.rowCount
      const order = isFew && coded.wantsOrder?.() !== false ? coded.order : undefined
      if (order !== undefined && closed !== undefined && stored.column.kind === 'float64') {
        const rowsOf = Array.from(list, (code) => ({
          code,
          bitmap: bitmapOfCode(order, codes, code),
          rows: rowsOfCode(order, codes, code),
        }))
        keepRows(rowsOf, byCode, stored.column.values, closed, mask)
      } else skipZones(list, byCode, range, mask)
    }
  }
}

function skipZones(list: Uint32Array, { codes, mins, maxs }: CodeZones, range: RangeTest, mask: Bitmap): void {
  for (let zone = 0; zone < mins.length / codes; zone++) {
    let isReached = false
    for (let i = 0; i < list.length && !isReached; i++) {
      const slot = zone * codes + list[i]
      isReached = canReach(mins[slot], maxs[slot], range)
    }
    if (!isReached) mask.fill(0, zone * WORDS_OF_ZONE, (zone + 1) * WORDS_OF_ZONE)
  }
}

let scratch: Bitmap = new Uint32Array(0)

/** The rows of one code: a bitmap, or a list. */
interface RowsOfCode {
  readonly code: number
  readonly bitmap: Bitmap | undefined
  readonly rows: Uint16Array
}

/** Keeps the rows with these codes whose number is in the range; only zones are looked at in which some row has both. */
function keepRows(
  rowsOf: readonly RowsOfCode[],
  { codes, mins, maxs }: CodeZones,
  values: Float64Array,
  [low, high]: readonly [number, number],
  mask: Bitmap,
): void {
  if (scratch.length < mask.length) scratch = new Uint32Array(mask.length)
  const having = scratch.fill(0, 0, mask.length)
  for (const { code, bitmap, rows } of rowsOf) {
    let at = 0
    for (let slot = code, zone = 0; slot < mins.length; slot += codes, zone++) {
      if (!(maxs[slot] >= low && mins[slot] <= high)) continue
      if (bitmap !== undefined) {
        keepBits(bitmap, zone, values, [low, high], having)
        continue
      }
      at = firstRowFrom(rows, zone << zoneShift, at)
      for (const end = (zone + 1) << zoneShift; at < rows.length && rows[at] < end; at++) {
        const row = rows[at]
        if (values[row] >= low && values[row] <= high) having[row >>> 5] |= 1 << (row & 31)
      }
    }
  }
  for (let i = 0; i < mask.length; i++) mask[i] &= having[i]
}

function keepBits(
  bitmap: Bitmap,
  zone: number,
  values: Float64Array,
  [low, high]: readonly [number, number],
  having: Bitmap,
): void {
  const end = Math.min(bitmap.length, (zone + 1) * WORDS_OF_ZONE)
  for (let i = zone * WORDS_OF_ZONE; i < end; i++) {
    for (let word = bitmap[i]; word !== 0; word &= word - 1) {
      const bit = word & -word
      const value = values[(i << 5) + 31 - Math.clz32(bit)]
      if (value >= low && value <= high) having[i] |= bit
    }
  }
}
