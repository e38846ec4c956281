import { work } from '../../../base/index.ts'
import { fold, toText, type Dictionary, type Value, type ValuePredicate, type ValueTest } from '../../../data/index.ts'

/** The codes of one dictionary whose entries pass a test. */
export class CodeSet {
  /** Number of dictionary entries that were tested. Entries added to the dictionary later are not tested. */
  readonly size: number
  /** The passing codes, ascending. */
  readonly list: Uint32Array
  #passes: Uint8Array | undefined

  constructor(size: number, list: Uint32Array) {
    this.size = size
    this.list = list
  }

  /** An array with 1 for each passing code and 0 for all others; computed on first read. */
  get passes(): Uint8Array {
    if (this.#passes === undefined) {
      this.#passes = new Uint8Array(this.size)
      for (const code of this.list) this.#passes[code] = 1
    }
    return this.#passes
  }
}

/**
 * Tests each dictionary entry once. Tests for equality with whole strings look the strings up in the dictionary
 * instead.
 */
export function codeSetOf(test: ValueTest, holds: ValuePredicate, dictionary: Dictionary): CodeSet {
  const { size } = dictionary
  const list: number[] = []
  const texts = wholeTexts(test)
  if (texts === undefined) {
    for (let code = 0; code < size; code++) {
      work(2)
      if (holds(dictionary.valueAt(code))) list.push(code)
    }
    return new CodeSet(size, Uint32Array.from(list))
  }
  const found = new Set<number>()
  if (holds(null)) found.add(0)
  for (const text of texts) {
    work(10)
    for (const code of dictionary.findFolded(fold(text))) if (holds(dictionary.valueAt(code))) found.add(code)
  }
  for (const code of dictionary.nonTextCodes()) {
    work(2)
    if (holds(dictionary.valueAt(code))) found.add(code)
  }
  return new CodeSet(size, Uint32Array.from(found).sort())
}

/**
 * Returns the strings of an `equals` or `in` test; `undefined` for other tests. Every passing value equals one of them,
 * possibly in another case.
 */
export function wholeTexts(test: ValueTest): readonly string[] | undefined {
  const values: readonly Value[] | undefined =
    test.kind === 'equals' ? [test.value] : test.kind === 'in' ? test.values : undefined
  return values?.map(toText)
}
