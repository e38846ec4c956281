import { expect, test } from 'vitest'
import { InvariantError, present } from '../../src/base/index.ts'

test('`present` returns any value but undefined, else throws with the name', () => {
  expect([present(0), present(null), present('')]).toEqual([0, null, ''])
  expect(() => present(undefined, 'the first column')).toThrow(new InvariantError('the first column is missing'))
})
