import { expect, test } from 'vitest'
import { timeFormats } from '../../../src/data/index.ts'
import { printers } from '../../../src/fuzz/times/index.ts'

/**
 * Formats that the fuzzer does not print. One has no time of day. The other is a time only before a level or where no
 * other date is possible.
 */
const NOT_PRINTED = ['a date alone', 'two digits of the year with slashes']

test('the fuzzer prints times of every format that is sure alone and has a time of day', () => {
  const formats = timeFormats.map(({ name }) => name).filter((name) => !NOT_PRINTED.includes(name))
  expect(formats.filter((name) => !printers.has(name))).toEqual([])
})
