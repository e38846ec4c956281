import { expect, test } from 'vitest'
import { InvariantError, present } from '../../src/base/index.ts'

test('what is present is given back, null and zero too; what is missing is named', () => {
  expect([present(0), present(null), present('')]).toEqual([0, null, ''])
  expect(() => present(undefined, 'the first column')).toThrow(new InvariantError('the first column is missing'))
})
