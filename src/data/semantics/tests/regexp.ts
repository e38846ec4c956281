import { compileRegexp } from '../../../base/index.ts'
import type { ValueTestOf } from '../../value-test.ts'
import type { TestOps } from './ops.ts'
import { needsOfRegexp } from './regexp-words.ts'

export const regexpOps: TestOps<ValueTestOf<'regexp'>> = {
  text: (test) => {
    const regexp = compileRegexp(test.pattern, test.isFolded)
    return (text) => regexp.test(text)
  },
  // Empty if case is ignored: case-insensitive patterns match more letter pairs than words do.
  words: (test) => (test.isFolded ? [] : needsOfRegexp(test.pattern)),
}
