import { compileRegexp } from '../../../base/index.ts'
import type { ValueTestOf } from '../../value-test.ts'
import type { TestOps } from './ops.ts'

export const regexpOps: TestOps<ValueTestOf<'regexp'>> = {
  text: (test) => {
    const regexp = compileRegexp(test.pattern, test.isFolded)
    return (text) => regexp.test(text)
  },
}
