import { expect, test } from 'vitest'
import { timeFormats } from '../../../src/data/index.ts'
import { printers } from '../../../src/fuzz/times/index.ts'

test('the fuzzer prints times of every format that has a time of day', () => {
  const formats = timeFormats.map(({ name }) => name).filter((name) => name !== 'a date alone')
  expect(formats.filter((name) => !printers.has(name))).toEqual([])
})
