import { ENTRY_BYTES, type Meter } from '../../base/index.ts'
import { compareGroupKeys, compareText, isEmptyValue, toText, utf8Length, type Row } from '../../data/index.ts'
import type { CompileTable, TableFunction, TableState } from '../definition.ts'
import { ValueCounts } from './counts.ts'

interface Params {
  readonly limit: number
  readonly maxValuesPerField: number
  readonly maxValueLength: number
  readonly keepsConstants: boolean
}

/** Default limits of a facet's field: maximum number of distinct values, and maximum length of a value in bytes. */
export const MAX_FACET_VALUES = 1000
export const MAX_FACET_CHARS = 128

/**
 * True if a string has more than `bytes` bytes in UTF-8. Compares the length first, because each UTF-16 unit has at
 * least one byte.
 */
export function isLonger(text: string, bytes: number): boolean {
  return text.length > bytes || utf8Length(text) > bytes
}

class FacetsState implements TableState {
  /** Counts of values by field name; `undefined` for a field that has too many or too long values. */
  readonly #fields = new Map<string, ValueCounts | undefined>()
  readonly #params: Params
  #rowCount = 0

  readonly #meter: Meter
  readonly maxTextBytes: number

  constructor(params: Params, meter: Meter) {
    this.#params = params
    this.maxTextBytes = params.maxValueLength
    this.#meter = meter
  }

  add(row: Row): void {
    this.#rowCount++
    for (const [name, value] of row) {
      if (isEmptyValue(value)) continue
      if (!this.#fields.has(name)) {
        this.#meter.charge(ENTRY_BYTES)
        this.#fields.set(name, new ValueCounts(this.#meter))
      }
      const counts = this.#fields.get(name)
      if (counts === undefined) continue
      const { maxValuesPerField, maxValueLength } = this.#params
      // Checked before the key is created, because the key is as long as the value.
      const isLong = isLonger(toText(value), maxValueLength)
      if (!isLong) counts.add(value)
      if (isLong || counts.size > maxValuesPerField) {
        counts.clear()
        this.#fields.set(name, undefined)
      }
    }
  }

  *finish(): Iterable<Row> {
    for (const name of [...this.#fields.keys()].sort(compareText)) {
      const entries = this.#fields.get(name)?.entries() ?? []
      const isConstant = entries.length === 1 && entries[0]?.hits === this.#rowCount
      if (isConstant && !this.#params.keepsConstants) continue
      entries.sort((a, b) => b.hits - a.hits || compareGroupKeys(a.value, b.value))
      for (const { value, hits } of entries.slice(0, this.#params.limit)) {
        yield new Map([
          ['field_name', name],
          ['field_value', value],
          ['hits', hits],
        ])
      }
    }
  }
}

export const facets: TableFunction = {
  name: 'facets',
  doc: {
    summary: 'The most frequent values of every field; fields with very many or very long values are left out.',
    parameters: [
      { name: 'N', text: 'values per field; 10 unless given' },
      { name: 'max_values_per_field', text: 'a field with more values is left out; 1000 unless given' },
      { name: 'max_value_len', text: 'a field with a longer value is left out; 128 bytes unless given' },
      { name: 'keep_const_fields', text: 'also fields that have one value in every row' },
    ],
    examples: [{ query: 'level:error | facets 2 | limit 6' }],
  },
}

export const compileFacets: CompileTable<Params> = (params, { meter }) => new FacetsState(params, meter)
