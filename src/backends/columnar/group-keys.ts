import {
  compareGroupTuples,
  groupKeyText,
  isEmptyValue,
  valueAt,
  type Column,
  type Dictionary,
  type Value,
} from '../../data/index.ts'

const LANE = 2 ** 26

/** Numbers the distinct values of one key; missing and `''` are one, printed `null`. */
export class KeyEncoder {
  readonly values: Value[] = []
  readonly #byText = new Map<string, number>()
  readonly #byCode = new Map<Dictionary, Int32Array>()

  #idOf(value: Value): number {
    const text = groupKeyText(value)
    const known = this.#byText.get(text)
    if (known !== undefined) return known
    const id = this.values.length
    this.values.push(isEmptyValue(value) ? null : value)
    this.#byText.set(text, id)
    return id
  }

  encode(column: Column): Uint32Array {
    const { length } = column
    const ids = new Uint32Array(length)
    if (column.kind === 'constant') return ids.fill(length === 0 ? 0 : this.#idOf(column.value))
    if (column.kind !== 'dictionary') {
      for (let row = 0; row < length; row++) ids[row] = this.#idOf(valueAt(column, row))
      return ids
    }
    const { codes, dictionary } = column
    let known = this.#byCode.get(dictionary)
    if (known === undefined || known.length < dictionary.size) {
      const wider = new Int32Array(dictionary.size).fill(-1)
      if (known !== undefined) wider.set(known)
      known = wider
      this.#byCode.set(dictionary, known)
    }
    for (let row = 0; row < length; row++) {
      const code = codes[row]
      if (known[code] === -1) known[code] = this.#idOf(dictionary.valueAt(code))
      ids[row] = known[code]
    }
    return ids
  }
}

/** Numbers the distinct combinations of keys in order of appearance. */
export class GroupKeys {
  readonly #encoders: readonly KeyEncoder[]
  /** Per step from two keys on: the number of a pair of numbers. */
  readonly #pairs: readonly Map<number, number>[]
  readonly #members: number[][] = []
  readonly #keyCount: number

  constructor(keyCount: number) {
    this.#keyCount = keyCount
    this.#encoders = Array.from({ length: keyCount }, () => new KeyEncoder())
    this.#pairs = Array.from({ length: Math.max(0, keyCount - 1) }, () => new Map<number, number>())
  }

  get groupCount(): number {
    if (this.#keyCount === 0) return 1
    return this.#keyCount === 1 ? this.#encoders[0].values.length : this.#members.length
  }

  /** The group of each row. */
  groupsOf(columns: readonly Column[], rowCount: number): Uint32Array {
    if (columns.length === 0) return new Uint32Array(rowCount)
    const ids = this.#encoders.map((encoder, key) => encoder.encode(columns[key]))
    let groups = ids[0]
    for (let step = 0; step < this.#pairs.length; step++) {
      const pairs = this.#pairs[step]
      const isLast = step === this.#pairs.length - 1
      const next = ids[step + 1]
      const combined = new Uint32Array(rowCount)
      for (let row = 0; row < rowCount; row++) {
        const pair = groups[row] * LANE + next[row]
        let group = pairs.get(pair)
        if (group === undefined) {
          group = pairs.size
          pairs.set(pair, group)
          if (isLast) this.#members.push(ids.map((of) => of[row]))
        }
        combined[row] = group
      }
      groups = combined
    }
    return groups
  }

  keyValues(group: number): readonly Value[] {
    if (this.#keyCount === 0) return []
    if (this.#keyCount === 1) return [this.#encoders[0].values[group]]
    return this.#members[group].map((id, key) => this.#encoders[key].values[id])
  }

  /** All groups in the order of the answer. */
  sorted(): readonly number[] {
    const tuples = Array.from({ length: this.groupCount }, (_, group) => this.keyValues(group))
    return tuples.map((_, group) => group).sort((a, b) => compareGroupTuples(tuples[a], tuples[b]))
  }
}
