import type { SqlValue } from '../../../store/sqlite/index.ts'

type Value = SqlValue | boolean

interface Batch {
  readonly rowCount: number
  readonly columns: readonly (readonly Value[])[]
}

/**
 * A column in the format in which processes send it: a type code for each row, then the values of each type in
 * sequence. All strings are one string with lengths, and so are the digits of integers beyond 64 bits. All BLOBs are
 * one buffer with lengths.
 */
export interface PackedColumn {
  readonly kinds: Uint8Array
  readonly numbers: Float64Array
  readonly integers: BigInt64Array
  readonly text: string
  readonly bytes: Uint8Array
  readonly lengths: Uint32Array
}

export interface PackedBatch {
  readonly rowCount: number
  readonly columns: readonly PackedColumn[]
}

const KIND = { null: 0, number: 1, text: 2, blob: 3, integer: 4, false: 5, true: 6, wide: 7 } as const

function packColumn(values: readonly Value[]): PackedColumn {
  const kinds = new Uint8Array(values.length)
  const numbers: number[] = []
  const integers: bigint[] = []
  const texts: string[] = []
  const blobs: Uint8Array[] = []
  const lengths: number[] = []
  for (const [i, value] of values.entries()) {
    if (value === null) kinds[i] = KIND.null
    else if (typeof value === 'number') {
      kinds[i] = KIND.number
      numbers.push(value)
    } else if (typeof value === 'string') {
      kinds[i] = KIND.text
      texts.push(value)
      lengths.push(value.length)
    } else if (typeof value === 'boolean') kinds[i] = value ? KIND.true : KIND.false
    else if (typeof value === 'bigint') {
      if (BigInt.asIntN(64, value) === value) {
        kinds[i] = KIND.integer
        integers.push(value)
      } else {
        const digits = value.toString()
        kinds[i] = KIND.wide
        texts.push(digits)
        lengths.push(digits.length)
      }
    } else {
      kinds[i] = KIND.blob
      blobs.push(value)
      lengths.push(value.length)
    }
  }
  return {
    kinds,
    numbers: Float64Array.from(numbers),
    integers: BigInt64Array.from(integers),
    text: texts.join(''),
    bytes: blobs.length === 0 ? new Uint8Array(0) : Buffer.concat(blobs),
    lengths: Uint32Array.from(lengths),
  }
}

function unpackColumn(column: PackedColumn): Value[] {
  let number = 0
  let integer = 0
  let length = 0
  let textAt = 0
  let byteAt = 0
  const nextText = (): string => {
    const from = textAt
    textAt += column.lengths[length++] ?? 0
    return column.text.slice(from, textAt)
  }
  return Array.from(column.kinds, (kind): Value => {
    switch (kind) {
      case KIND.null:
        return null
      case KIND.number:
        return column.numbers[number++] ?? null
      case KIND.integer:
        return column.integers[integer++] ?? null
      case KIND.text:
        return nextText()
      case KIND.wide:
        return BigInt(nextText())
      case KIND.false:
        return false
      case KIND.true:
        return true
      default: {
        const from = byteAt
        byteAt += column.lengths[length++] ?? 0
        return column.bytes.subarray(from, byteAt)
      }
    }
  })
}

export function packBatch(batch: Batch): PackedBatch {
  return { rowCount: batch.rowCount, columns: batch.columns.map(packColumn) }
}

/** Returns the values of a packed batch in their original types. */
export function unpackBatch(batch: PackedBatch): Batch {
  return { rowCount: batch.rowCount, columns: batch.columns.map(unpackColumn) }
}
