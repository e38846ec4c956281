import { fold, toText, type Dictionary, type Value, type ValuePredicate, type ValueTest } from '../../../data/index.ts'

/** Above so many entries a dictionary is searched by look-up where the test allows it. */
const LOOKUP_ABOVE = 256

/** What a test says of the codes of one dictionary. */
export interface CodeSet {
  /** Entries of the dictionary when it was looked at. */
  readonly size: number
  /** 1 where the test holds. */
  readonly passes: Uint8Array
  /** The codes where it holds, ascending. */
  readonly list: Uint32Array
}

/** Each entry is tested once; a test for whole values is answered by look-up. */
export function codeSetOf(test: ValueTest, holds: ValuePredicate, dictionary: Dictionary): CodeSet {
  const { size } = dictionary
  const passes = new Uint8Array(size)
  const texts = size > LOOKUP_ABOVE ? wholeTexts(test) : undefined
  if (texts === undefined) {
    for (let code = 0; code < size; code++) if (holds(dictionary.valueAt(code))) passes[code] = 1
  } else {
    if (holds(null)) passes[0] = 1
    for (const text of texts) {
      for (const code of dictionary.findFolded(fold(text))) if (holds(dictionary.valueAt(code))) passes[code] = 1
    }
    for (const code of dictionary.nonTextCodes()) if (holds(dictionary.valueAt(code))) passes[code] = 1
  }
  const list: number[] = []
  for (let code = passes.indexOf(1); code !== -1; code = passes.indexOf(1, code + 1)) list.push(code)
  return { size, passes, list: Uint32Array.from(list) }
}

/** The texts one of which a stored text must equal, case aside; `undefined` when the test is of another kind. */
function wholeTexts(test: ValueTest): readonly string[] | undefined {
  const values: readonly Value[] | undefined =
    test.kind === 'equals' ? [test.value] : test.kind === 'in' ? test.values : undefined
  return values?.map(toText)
}
