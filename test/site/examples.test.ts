import { expect, test } from 'vitest'
import { listed } from '../../tools/site/diagnostics.ts'
import { allExamples, checkCodes, elsewhere } from '../../tools/site/examples.ts'

const codes = new Set(listed().map(({ code }) => code))
const examples = [...allExamples().keys()]

test('every diagnostic has a query that causes it, or a reason why none does', () => {
  expect(() => checkCodes(codes, examples, elsewhere())).not.toThrow()
  expect(examples.length).toBeGreaterThan(200)
})

test.each([
  ['a new code', new Set([...codes, 'log/new']), examples, 'log/new needs a query that causes it'],
  ['a code that is gone', new Set([...codes].slice(1)), examples, 'which is no diagnostic'],
  ['a code with an example and a reason', codes, [...examples, 'budget/rows'], 'budget/rows is twice'],
])('%s is reported', (_, known, given, message) => {
  expect(() => checkCodes(known, given, elsewhere())).toThrow(message)
})
