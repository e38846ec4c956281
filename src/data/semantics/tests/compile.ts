import type { ValueTest, ValueTestKind, ValueTestOf } from '../../value-test.ts'
import { containsOps, globOps, startsWithOps } from './affix.ts'
import { emptyOps } from './empty.ts'
import { equalsOps, inOps } from './equals.ts'
import { namedOps } from './named/index.ts'
import { onText, type TestOps, type TextPredicate, type ValuePredicate, type WordNeed } from './ops.ts'
import { containsAllOps, containsAnyOps, phraseOps, phrasePrefixOps, sequenceOps } from './phrase.ts'
import { compareTextOps, rangeOps, stringRangeOps, timeRangeOps } from './range.ts'
import { regexpOps } from './regexp.ts'

const families: { readonly [K in ValueTestKind]: TestOps<ValueTestOf<K>> } = {
  empty: emptyOps,
  equals: equalsOps,
  in: inOps,
  phrase: phraseOps,
  'phrase-prefix': phrasePrefixOps,
  'starts-with': startsWithOps,
  contains: containsOps,
  glob: globOps,
  regexp: regexpOps,
  range: rangeOps,
  'compare-text': compareTextOps,
  'string-range': stringRangeOps,
  'time-range': timeRangeOps,
  sequence: sequenceOps,
  'contains-all': containsAllOps,
  'contains-any': containsAnyOps,
  named: namedOps,
}

function opsOf(test: ValueTest): TestOps<ValueTest> {
  return families[test.kind] as TestOps<ValueTest>
}

/** Compiles a test into a function for values of any type. It is the only definition of what the test means. */
export function compileTest(test: ValueTest): ValuePredicate {
  const ops = opsOf(test)
  return ops.value === undefined ? onText(ops.text(test)) : ops.value(test)
}

/** Compiles a test for values that are known to be strings, where `''` also represents a missing value. */
export function compileTextTest(test: ValueTest): TextPredicate {
  return opsOf(test).text(test)
}

/**
 * Returns lower-case words that every matching value contains, so that an index can be searched. Empty if no words are
 * certain.
 */
export function wordNeeds(test: ValueTest): readonly WordNeed[] {
  return opsOf(test).words?.(test) ?? []
}
