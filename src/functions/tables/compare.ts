import { ENTRY_BYTES, type Meter } from '../../base/index.ts'
import {
  compareGroupKeys,
  compareText,
  groupKeyText,
  isEmptyValue,
  toText,
  type Row,
  type Value,
} from '../../data/index.ts'
import type { CompileTable, TableFunction, TableState } from '../definition.ts'
import { ValueCounts } from './counts.ts'
import { MAX_FACET_CHARS, MAX_FACET_VALUES, isLonger } from './facets.ts'

interface Params {
  readonly limit: number
  /** Column that is true in the rows to compare with all other rows. */
  readonly mark: string
}

/** Counts of one field's values: in the marked rows, and in the others. */
interface Sides {
  readonly marked: ValueCounts
  readonly others: ValueCounts
}

class CompareState implements TableState {
  /** Counts of values by field name; `undefined` for a field that has too many or too long values. */
  readonly #fields = new Map<string, Sides | undefined>()
  readonly #params: Params
  readonly #meter: Meter
  #markedRows = 0
  #otherRows = 0

  constructor(params: Params, meter: Meter) {
    this.#params = params
    this.#meter = meter
  }

  add(row: Row): void {
    const { mark } = this.#params
    const isMarked = row.get(mark) === true
    if (isMarked) this.#markedRows++
    else this.#otherRows++
    for (const [name, value] of row) {
      if (name === mark || isEmptyValue(value)) continue
      const sides = this.#sidesOf(name)
      if (sides === undefined) continue
      const counts = isMarked ? sides.marked : sides.others
      const isLong = isLonger(toText(value), MAX_FACET_CHARS)
      if (!isLong) counts.add(value)
      if (!isLong && counts.size <= MAX_FACET_VALUES) continue
      sides.marked.clear()
      sides.others.clear()
      this.#fields.set(name, undefined)
    }
  }

  #sidesOf(name: string): Sides | undefined {
    const known = this.#fields.get(name)
    if (known !== undefined || this.#fields.has(name)) return known
    this.#meter.charge(ENTRY_BYTES)
    const sides = { marked: new ValueCounts(this.#meter), others: new ValueCounts(this.#meter) }
    this.#fields.set(name, sides)
    return sides
  }

  *finish(): Generator<Row> {
    const found: { readonly name: string; readonly value: Value; readonly hits: number; readonly others: number }[] = []
    for (const [name, sides] of this.#fields) {
      if (sides === undefined) continue
      const others = new Map(sides.others.entries().map(({ value, hits }) => [groupKeyText(value), hits]))
      for (const { value, hits } of sides.marked.entries())
        found.push({ name, value, hits, others: others.get(groupKeyText(value)) ?? 0 })
    }
    const shareOf = (hits: number): number => (this.#markedRows === 0 ? 0 : hits / this.#markedRows)
    const shareOfOthers = (hits: number): number => (this.#otherRows === 0 ? 0 : hits / this.#otherRows)
    const excess = ({ hits, others }: (typeof found)[number]): number => shareOf(hits) - shareOfOthers(others)
    found.sort((a, b) => excess(b) - excess(a) || compareText(a.name, b.name) || compareGroupKeys(a.value, b.value))
    for (const { name, value, hits, others } of found.slice(0, this.#params.limit)) {
      yield new Map<string, Value>([
        ['field_name', name],
        ['field_value', value],
        ['hits', hits],
        ['share', shareOf(hits)],
        ['others', others],
        ['share_others', shareOfOthers(others)],
        ['lift', others === 0 ? null : shareOf(hits) / shareOfOthers(others)],
      ])
    }
  }
}

export const compare: TableFunction = {
  name: 'compare',
  doc: {
    summary:
      'The values that are more frequent in some rows than in the others, with their shares of both and the ratio of the shares; fields with very many or very long values are left out.',
    parameters: [
      { name: 'filter', text: 'the rows to be explained' },
      { name: 'N', text: 'how many values; 10 unless given' },
    ],
    examples: [{ query: '* | compare (level:error) 5 | fields field_name, field_value, hits, lift' }],
  },
}

export const compileCompare: CompileTable<Params> = (params, { meter }) => new CompareState(params, meter)
