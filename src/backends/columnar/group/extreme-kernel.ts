import {
  columnOfValues,
  compareGroupKeys,
  isEmptyValue,
  valueAt,
  type Column,
  type DictionaryColumn,
  type Value,
} from '../../../data/index.ts'
import { wholeDictionaryRanks } from '../keys/key-order.ts'
import { hasOneForm, plainOfValue, valueOfPlain, type PlainKeyValue } from '../keys/plain-values.ts'
import { grown, type GroupedRows, type Kernel, type KernelPartials } from './kernel.ts'

/** The extreme value of each group as plain data, for another thread. */
interface Extremes {
  readonly numbers: Float64Array
  readonly hasNumbers: boolean
  readonly others: readonly (readonly [group: number, value: PlainKeyValue])[]
}

/** The minimum or maximum of the non-empty values of one field, compared in the order of group keys. */
export class ExtremeKernel implements Kernel {
  readonly #name: string
  readonly #sign: 1 | -1
  /** For each group, the best number so far, multiplied by the sign; infinity if there is none. */
  #numbers: Float64Array = new Float64Array(1).fill(Infinity)
  #hasNumbers = false
  readonly #others: (Value | undefined)[] = []

  /** `sign` is 1 for the minimum, −1 for the maximum. */
  constructor(name: string, sign: 1 | -1) {
    this.#name = name
    this.#sign = sign
  }

  reserve(bound: number): void {
    const before = this.#numbers.length
    this.#numbers = grown(this.#numbers, bound)
    this.#numbers.fill(Infinity, before)
  }

  add(grouped: GroupedRows): void {
    const stored = grouped.segment.columns.get(this.#name)
    if (stored === undefined) return
    const { column, zones } = stored
    const { rows, groups, length } = grouped
    if (
      column.kind === 'float64' &&
      zones?.hasNan === false &&
      Number.isFinite(zones.min) &&
      Number.isFinite(zones.max)
    ) {
      const { values } = column
      const best = this.#numbers
      const sign = this.#sign
      this.#hasNumbers = true
      for (let i = 0; i < length; i++) {
        const value = values[rows[i]] * sign
        if (value < best[groups[i]]) best[groups[i]] = value
      }
      return
    }
    const ranks = column.kind === 'dictionary' ? wholeDictionaryRanks(column.dictionary) : undefined
    if (column.kind === 'dictionary' && ranks !== undefined) this.#addCodes(grouped, column, ranks)
    else for (let i = 0; i < length; i++) this.#see(groups[i], valueAt(column, rows[i]))
  }

  #addCodes({ rows, groups, length }: GroupedRows, { codes, dictionary }: DictionaryColumn, ranks: Uint32Array): void {
    const sign = this.#sign
    const best = new Map<number, number>()
    for (let i = 0; i < length; i++) {
      const code = codes[rows[i]]
      if (code === 0) continue
      const group = groups[i]
      const before = best.get(group)
      if (before === undefined || (ranks[code] - ranks[before]) * sign < 0) {
        if (!isEmptyValue(dictionary.valueAt(code))) best.set(group, code)
      }
    }
    for (const [group, code] of best) this.#see(group, dictionary.valueAt(code))
  }

  #see(group: number, value: Value): void {
    if (isEmptyValue(value)) return
    const best = this.#others[group]
    if (best === undefined || compareGroupKeys(value, best) * this.#sign < 0) this.#others[group] = value
  }

  finish(groups: Uint32Array): Column {
    const values = Array.from(groups, (group) => {
      const number = this.#numbers[group]
      if (this.#hasNumbers && number !== Infinity) this.#see(group, number * this.#sign === 0 ? 0 : number * this.#sign)
      return this.#others[group] ?? null
    })
    return columnOfValues(values)
  }

  readonly partials: KernelPartials<Extremes> = {
    exportPartial: (bound) => {
      const others: (readonly [number, PlainKeyValue])[] = []
      for (const [group, value] of this.#others.entries()) {
        if (value === undefined) continue
        if (!hasOneForm(value)) return undefined
        others.push([group, plainOfValue(value)])
      }
      return { numbers: this.#numbers.subarray(0, bound), hasNumbers: this.#hasNumbers, others }
    },
    mergePartial: ({ numbers, hasNumbers, others }, groups) => {
      if (hasNumbers) {
        this.#hasNumbers = true
        for (let group = 0; group < numbers.length; group++) {
          const own = groups[group]
          if (numbers[group] < this.#numbers[own]) this.#numbers[own] = numbers[group]
        }
      }
      for (const [group, value] of others) this.#see(groups[group], valueOfPlain(value))
    },
  }

  bytes(): number {
    return this.#numbers.byteLength + this.#others.length * 16
  }
}
