import { MAX_CACHED } from '../../base/index.ts'
import type { TableLayout } from './layout.ts'
import { fold, groupKeyText, rankOf, type DataType, type Value } from '../../data/index.ts'

/**
 * Facts about all stored values of a declared column. They only ever become weaker. Each change starts an epoch: a
 * statement that was compiled with the facts of an epoch is exact as long as the epoch lasts.
 */
export interface FieldKnowledge {
  /** True if some row may lack the field. */
  readonly hasMissing: boolean
  /** True if some row may have the empty string. */
  readonly hasEmpty: boolean
  /** True if some value may not have the declared type, or may be one that SQLite cannot store natively. */
  readonly hasForeign: boolean
  /** True if some string may differ from its case-folded form. */
  readonly hasUnfolded: boolean
  /** True if some string may have a non-ASCII character that folds to ASCII. */
  readonly hasOddFold: boolean
  /** The strings that rank as numbers or times in comparisons; `many` if there are too many to list. */
  readonly ranked: readonly string[] | 'many'
  /** How 64-bit integers can sum the numbers of the column exactly; `undefined` if they cannot. */
  readonly sums: 'whole' | 'limbs' | undefined
  /** All values of the column; `undefined` if there are too many to list. */
  readonly values: readonly Value[] | undefined
}

export interface TableKnowledge {
  /**
   * The largest time in nanoseconds by which a row was earlier than the latest row before it; 0 if ids are exactly in
   * time order. Rounded up to a power of two, so that it seldom changes.
   */
  readonly latenessNs: bigint
  /** True if the table has more rows than a 64-bit sum allows. */
  readonly hasVeryManyRows: boolean
  /** True if some time is so far from 1970 that arithmetic with it may overflow 64 bits. */
  readonly hasExtremeTimes: boolean
  readonly fields: ReadonlyMap<string, FieldKnowledge>
}

export interface Knowledge {
  readonly epoch: number
  readonly tables: ReadonlyMap<string, TableKnowledge>
}

/** Maximum number of distinct values of a column that are recorded. */
export const MAX_KNOWN_VALUES = 4096
export const MAX_RANKED = 64

export const FLAGS = {
  missing: 1,
  empty: 2,
  foreign: 4,
  unfolded: 8,
  oddFold: 16,
  many: 32,
  manyRanked: 64,
  fraction: 128,
  wide: 256,
  veryWide: 512,
  fine: 1024,
} as const

/**
 * Bounds of numbers for exact sums of up to 2^27 rows. `whole`: below it, integers are summed in one 64-bit integer.
 * `limbs`: below it, other numbers are summed in three limbs, of which the last two have 36 fraction bits each.
 * `finest`: smallest absolute value of such a number.
 */
const exactBelow = { whole: 2 ** 36, limbs: 2 ** 26, finest: 2 ** -20 } as const
export const MAX_SUMMED_ROWS = 2n ** 27n

/** The only non-ASCII characters whose folded form has ASCII characters: the Kelvin sign and I with dot. */
const ODD_FOLD = /[\u0130\u212a]/

/** New facts about a column after a batch, to be stored with the rows of the batch. */
export interface Lesson {
  readonly flags: number
  /** True if the column has too many distinct values to record. The values recorded so far are then discarded. */
  readonly isManyNow: boolean
  readonly newValues: readonly Value[]
  readonly newRanked: readonly string[]
}

/** Derives the facts about one column from the values that are written. */
export class FieldTracker {
  #flags: number
  readonly #type: DataType
  readonly #seen: Set<Value>
  readonly #seenObjects: Set<string>
  readonly #ranked: Set<string>
  #newValues: Value[] = []
  #newRanked: string[] = []
  #isChanged = false
  readonly #recentSpellings = new Set<string>()
  #newSpellings: string[] = []
  readonly #keepsSpellings: boolean
  readonly #maxKnownValues: number

  constructor(
    type: DataType,
    isManyByNature: boolean,
    flags: number,
    values: readonly Value[],
    ranked: readonly string[],
    maxKnownValues: number,
  ) {
    this.#maxKnownValues = maxKnownValues
    this.#type = type
    this.#keepsSpellings = !isManyByNature
    this.#flags = isManyByNature ? flags | FLAGS.many : flags
    this.#seen = new Set(values.filter((value) => typeof value !== 'object'))
    this.#seenObjects = new Set(values.filter((value) => typeof value === 'object').map(groupKeyText))
    this.#ranked = new Set(ranked)
  }

  see(value: Value): void {
    if (value === null) this.#flag(FLAGS.missing)
    else if ((this.#flags & FLAGS.many) !== 0) this.#inspect(value)
    else if (typeof value === 'object') this.#seeObject(value)
    else if (!this.#seen.has(value)) this.#learn(value)
  }

  /** Returns the facts learned since the last call; `undefined` if there are none. */
  takeLesson(): Lesson | undefined {
    if (!this.#isChanged) return undefined
    const lesson: Lesson = {
      flags: this.#flags,
      isManyNow: (this.#flags & FLAGS.many) !== 0,
      newValues: this.#newValues,
      newRanked: this.#newRanked,
    }
    this.#newValues = []
    this.#newRanked = []
    this.#isChanged = false
    return lesson
  }

  /**
   * Returns new strings that differ from their case-folded form, for a column with too many values to list.
   * Case-insensitive lookups need them. They do not start an epoch, since statements read them from the database.
   */
  takeSpellings(): readonly string[] {
    const spellings = this.#newSpellings
    if (spellings.length > 0) this.#newSpellings = []
    return spellings
  }

  #flag(flag: number): void {
    if ((this.#flags & flag) !== 0) return
    this.#flags |= flag
    this.#isChanged = true
  }

  #seeObject(value: Value): void {
    const key = groupKeyText(value)
    if (this.#seenObjects.has(key)) return
    this.#seenObjects.add(key)
    this.#learn(value)
  }

  #learn(value: Value): void {
    this.#inspect(value)
    if (this.#seen.size + this.#seenObjects.size >= this.#maxKnownValues) {
      this.#flag(FLAGS.many)
      for (const seen of this.#seen) if (typeof seen === 'string') this.#inspectSpelling(seen)
      this.#seen.clear()
      this.#seenObjects.clear()
      this.#newValues = []
      if (typeof value === 'string') this.#inspectSpelling(value)
      return
    }
    if (typeof value !== 'object') this.#seen.add(value)
    this.#newValues.push(value)
    this.#isChanged = true
  }

  #inspect(value: Value): void {
    if (!this.#isNative(value)) this.#flag(FLAGS.foreign)
    if (typeof value === 'number') this.#inspectNumber(value)
    if (typeof value !== 'string') return
    if (value === '') {
      this.#flag(FLAGS.empty)
      return
    }
    if ((this.#flags & FLAGS.many) !== 0 && this.#keepsSpellings) this.#inspectSpelling(value)
    else if ((this.#flags & FLAGS.unfolded) === 0 && fold(value) !== value) this.#flag(FLAGS.unfolded)
    if ((this.#flags & FLAGS.oddFold) === 0 && ODD_FOLD.test(value)) this.#flag(FLAGS.oddFold)
    if ((this.#flags & FLAGS.manyRanked) === 0) this.#inspectRank(value)
  }

  #inspectNumber(value: number): void {
    const size = Math.abs(value)
    // An INTEGER cannot be -0, so -0 stays a REAL, and a sum with it would be a REAL too.
    if (!Number.isInteger(value) || Object.is(value, -0)) this.#flag(FLAGS.fraction)
    if (!(size < exactBelow.limbs)) this.#flag(FLAGS.wide)
    if (!(size < exactBelow.whole)) this.#flag(FLAGS.veryWide)
    if (size < exactBelow.finest && size !== 0) this.#flag(FLAGS.fine)
  }

  #inspectSpelling(value: string): void {
    if (this.#recentSpellings.has(value) || fold(value) === value) return
    this.#flag(FLAGS.unfolded)
    if (this.#recentSpellings.size >= MAX_CACHED) this.#recentSpellings.clear()
    this.#recentSpellings.add(value)
    this.#newSpellings.push(value)
  }

  #inspectRank(value: string): void {
    if (rankOf(value).rank === 2 || this.#ranked.has(value)) return
    if (this.#ranked.size >= MAX_RANKED) {
      this.#flag(FLAGS.manyRanked)
      return
    }
    this.#ranked.add(value)
    this.#newRanked.push(value)
    this.#isChanged = true
  }

  #isNative(value: Value): boolean {
    switch (this.#type) {
      case 'string':
        return typeof value === 'string' && value.isWellFormed()
      case 'number':
      case 'integer':
        return typeof value === 'number' && value === value
      default:
        return false
    }
  }
}

/** True if a column has too many values to list by its kind: it is the text field or has measured numbers. */
export function hasManyByNature(type: DataType, isText: boolean): boolean {
  return isText || type === 'number'
}

function sumsOf(flags: number): FieldKnowledge['sums'] {
  const has = (flag: number): boolean => (flags & flag) !== 0
  if (!has(FLAGS.fraction)) return has(FLAGS.veryWide) ? undefined : 'whole'
  return has(FLAGS.wide) || has(FLAGS.fine) ? undefined : 'limbs'
}

export function fieldKnowledge(
  flags: number,
  values: readonly Value[],
  ranked: readonly string[],
  isManyByNature: boolean,
): FieldKnowledge {
  return {
    hasMissing: (flags & FLAGS.missing) !== 0,
    hasEmpty: (flags & FLAGS.empty) !== 0,
    hasForeign: (flags & FLAGS.foreign) !== 0,
    hasUnfolded: (flags & FLAGS.unfolded) !== 0,
    hasOddFold: (flags & FLAGS.oddFold) !== 0,
    sums: sumsOf(flags),
    ranked: (flags & FLAGS.manyRanked) !== 0 ? 'many' : ranked,
    values: isManyByNature || (flags & FLAGS.many) !== 0 ? undefined : values,
  }
}

const ANYTHING = Object.values(FLAGS).reduce((all, flag) => all | flag, 0)

/** Returns facts that hold for any content, for statements that are compiled without a database. */
export function knowledgeOfAnything(layouts: ReadonlyMap<string, TableLayout>): Knowledge {
  const tables = new Map<string, TableKnowledge>()
  for (const [name, { columns }] of layouts) {
    const fields = new Map(
      columns.map(({ field, isText }) => {
        const isMany = hasManyByNature(field.type, isText)
        return [field.name, fieldKnowledge(ANYTHING, [], [], isMany)]
      }),
    )
    tables.set(name, { latenessNs: 2n ** 62n, hasVeryManyRows: true, hasExtremeTimes: true, fields })
  }
  return { epoch: 0, tables }
}
