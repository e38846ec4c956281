import {
  columnOfValues,
  constantColumn,
  createBitmap,
  gatherCodes,
  hasBit,
  setBit,
  valueAt,
  type Bitmap,
  type Codes,
  type Column,
} from '../../../data/index.ts'
import { NO_ROW } from '../keys/key-table.ts'

const orNan = Float64Array.of(NaN, 0)

/**
 * Rows of a column, some of which are none: missing there. Whether one is none is hard to foretell, so that loops over
 * them do without branches.
 */
export class SomeRows {
  readonly #rows: Uint32Array
  #places: Uint32Array | undefined
  #present: Bitmap | undefined

  constructor(rows: Uint32Array) {
    this.#rows = rows
  }

  of(column: Column): Column {
    const rows = this.#rows
    const { length } = rows
    if (column.length === 0 || (column.kind === 'constant' && column.value === null))
      return constantColumn(null, length)
    if (column.kind === 'dictionary') {
      const codes = gatherCodes(column.codes, this.#at)
      this.#clearMissing(codes)
      return { kind: 'dictionary', length, codes, dictionary: column.dictionary }
    }
    if (column.kind === 'float64') {
      const values = new Float64Array(length)
      const places = this.#at
      for (let i = 0; i < length; i++) values[i] = column.values[places[i]] + orNan[(rows[i] >> 31) + 1]
      return { kind: 'float64', length, values, validity: this.#valid(column.validity) }
    }
    return columnOfValues(Array.from(rows, (row) => (row === NO_ROW ? null : valueAt(column, row))))
  }

  /** The rows, any in place of none. */
  get #at(): Uint32Array {
    if (this.#places === undefined) {
      const rows = this.#rows
      const places = new Uint32Array(rows.length)
      // The sign is that of `NO_ROW`: no column has 2^31 rows.
      for (let i = 0; i < rows.length; i++) places[i] = rows[i] & ~(rows[i] >> 31)
      this.#places = places
    }
    return this.#places
  }

  /** 0 is the code of what is missing. */
  #clearMissing(codes: Codes): void {
    const rows = this.#rows
    for (let i = 0; i < codes.length; i++) codes[i] &= ~(rows[i] >> 31)
  }

  #valid(validity: Bitmap | undefined): Bitmap {
    const rows = this.#rows
    if (validity !== undefined) {
      const valid = createBitmap(rows.length)
      for (let i = 0; i < rows.length; i++) if (rows[i] !== NO_ROW && hasBit(validity, rows[i])) setBit(valid, i)
      return valid
    }
    if (this.#present === undefined) {
      const present = createBitmap(rows.length)
      for (let i = 0; i < rows.length; i++) present[i >>> 5] |= ((rows[i] >> 31) + 1) << (i & 31)
      this.#present = present
    }
    return this.#present
  }
}
