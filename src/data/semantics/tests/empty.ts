import { isEmptyValue } from '../../value.ts'
import type { ValueTestOf } from '../../value-test.ts'
import type { TestOps } from './ops.ts'

export const emptyOps: TestOps<ValueTestOf<'empty'>> = {
  text: () => (text) => text === '',
  value: () => isEmptyValue,
}
