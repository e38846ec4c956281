import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LogParser } from '../../../src/lang/log/parser.ts'
import { productionsOf } from '../../../src/lang/kit/index.ts'
import { railroadPage } from '../../../src/lang/kit/railroad.ts'
import { vocabulary } from '../../../src/lang/log/tokens.ts'
import { logEbnf, logGrammar, pipeDefinitions } from '../../../src/lang/log/index.ts'

/** The committed grammar files must equal those generated from the parser; `UPDATE_GOLDEN=1` rewrites them. */
const files = [
  ['log.ebnf', logEbnf],
  ['log.html', () => railroadPage(logGrammar())],
] as const

describe('grammar', () => {
  test.each(files)('%s is up to date', (name, make) => {
    const file = new URL(`../../../grammar/${name}`, import.meta.url)
    const text = make()
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('Chevrotain finds no ambiguity, left recursion or unreachable alternative', () => {
    expect(() => new LogParser(true)).not.toThrow()
  })

  test('no rule adds a keyword while it is recorded: the lexer would not know it', () => {
    const words = new Set(vocabulary())
    expect(new LogParser().grammar.length).toBeGreaterThan(100)
    expect(vocabulary().filter((type) => !words.has(type))).toEqual([])
  })

  test('every name of every pipe begins a rule', () => {
    const terminals = logGrammar().flatMap((rule) => productionsOf(rule, 'Terminal'))
    const labels = new Set(terminals.map(({ label }) => label))
    for (const name of pipeDefinitions.flatMap(({ names }) => names)) expect(labels).toContain(name)
  })
})
