import { hasBit, toText, utf8Length, valueAt, valueTag, type Column, type Dictionary } from '../../../data/index.ts'
import { grown, type GroupedRows, type Kernel, type KernelPartials } from './kernel.ts'

function bytesAt(column: Column, row: number): number {
  return utf8Length(toText(valueAt(column, row)))
}

/**
 * Sums the UTF-8 byte lengths of one field, by group. Stored strings are measured by their offsets, without reading
 * them.
 */
export class TextBytesKernel implements Kernel {
  readonly #name: string
  #sums: Float64Array = new Float64Array(1)
  /** Byte lengths of dictionary entries that are not strings, by code. */
  readonly #others = new Map<Dictionary, Map<number, number>>()

  constructor(name: string) {
    this.#name = name
  }

  reserve(bound: number): void {
    this.#sums = grown(this.#sums, bound)
  }

  add({ segment, rows, groups, length }: GroupedRows): void {
    const column = segment.columns.get(this.#name)?.column
    if (column === undefined) return
    const measure = this.#measureOf(column)
    const sums = this.#sums
    for (let i = 0; i < length; i++) sums[groups[i]] += measure(rows[i])
  }

  #measureOf(column: Column): (row: number) => number {
    if (column.kind === 'text' && column.reader === undefined) {
      const { offsets, validity } = column
      return (row) => (validity === undefined || hasBit(validity, row) ? offsets[row + 1] - offsets[row] : 0)
    }
    if (column.kind !== 'dictionary') return (row) => bytesAt(column, row)
    const { codes, dictionary } = column
    const { tags, offsets } = dictionary
    return (row) => {
      const code = codes[row]
      return tags[code] === valueTag.text ? offsets[code + 1] - offsets[code] : this.#otherBytes(dictionary, code)
    }
  }

  #otherBytes(dictionary: Dictionary, code: number): number {
    let known = this.#others.get(dictionary)
    if (known === undefined) this.#others.set(dictionary, (known = new Map()))
    let bytes = known.get(code)
    if (bytes === undefined) known.set(code, (bytes = utf8Length(toText(dictionary.valueAt(code)))))
    return bytes
  }

  finish(groups: Uint32Array): Column {
    const values = Float64Array.from(groups, (group) => this.#sums[group])
    return { kind: 'float64', length: values.length, values, validity: undefined }
  }

  bytes(): number {
    return this.#sums.byteLength
  }

  readonly partials: KernelPartials<Float64Array> = {
    exportPartial: (bound) => {
      const given = this.#sums.slice(0, bound)
      this.#sums = new Float64Array(1)
      return given
    },
    mergePartial: (given, groups) => {
      for (let group = 0; group < given.length; group++) this.#sums[groups[group]] += given[group]
    },
  }
}
