import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { promqlGrammar } from '../../../src/lang/promql/grammar.ts'

const file = new URL('../../../grammar/promql.ebnf', import.meta.url)

test('the published grammar is the parser’s own; UPDATE_GOLDEN=1 writes it', () => {
  const grammar = promqlGrammar()
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, grammar)
  expect(readFileSync(file, 'utf8')).toBe(grammar)
})
