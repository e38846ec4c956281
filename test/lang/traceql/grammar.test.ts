import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { railroadPage } from '../../../src/lang/kit/railroad.ts'
import { traceqlGrammar } from '../../../src/lang/traceql/parser/grammar.ts'
import { TraceqlParser } from '../../../src/lang/traceql/parser/parser.ts'

/** The committed grammar files must equal those generated from the parser; `UPDATE_GOLDEN=1` rewrites them. */
const files = [
  ['traceql.ebnf', traceqlGrammar],
  ['traceql.html', () => railroadPage(new TraceqlParser().grammar)],
] as const

test.each(files)('%s is up to date', (name, make) => {
  const file = new URL(`../../../grammar/${name}`, import.meta.url)
  const text = make()
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('Chevrotain finds no ambiguity, left recursion or unreachable alternative', () => {
  expect(() => new TraceqlParser(true)).not.toThrow()
})
