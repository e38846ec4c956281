import { compileRegexp } from '../../../base/index.ts'
import type { ValueTestOf } from '../../value-test.ts'
import type { TestOps } from './ops.ts'
import { needsOfRegexp } from './regexp-words.ts'

export const regexpOps: TestOps<ValueTestOf<'regexp'>> = {
  text: (test) => {
    const regexp = compileRegexp(test.pattern, test.isFolded)
    return (text) => regexp.test(text)
  },
  // Case folding of patterns has more pairs of letters than that of words.
  words: (test) => (test.isFolded ? [] : needsOfRegexp(test.pattern)),
}
