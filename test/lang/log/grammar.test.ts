import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LogParser } from '../../../src/lang/log/parser.ts'
import { logEbnf, logGrammar, logRailroad, pipeDefinitions, type GrammarNode } from '../../../src/lang/log/index.ts'

/** The committed files are what the parser says; `UPDATE_GOLDEN=1` writes them anew. */
const files = [
  ['log.ebnf', logEbnf],
  ['log.html', logRailroad],
] as const

function tokensOf(node: GrammarNode): readonly string[] {
  switch (node.kind) {
    case 'token':
      return [node.label]
    case 'rule':
      return []
    case 'sequence':
    case 'choice':
      return node.items.flatMap(tokensOf)
    case 'optional':
    case 'repeat':
      return tokensOf(node.item)
  }
}

describe('grammar', () => {
  test.each(files)('%s is up to date', (name, make) => {
    const file = new URL(`../../../grammar/${name}`, import.meta.url)
    const text = make()
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('the grammar has no ambiguity, left recursion or unreachable alternative', () => {
    expect(() => new LogParser(false)).not.toThrow()
  })

  test('every name of every pipe begins a rule', () => {
    const labels = new Set(logGrammar().flatMap(({ body }) => tokensOf(body)))
    for (const name of pipeDefinitions.flatMap(({ names }) => names)) expect(labels).toContain(name)
  })

  test('every rule that is named exists', () => {
    const names = new Set(logGrammar().map(({ name }) => name))
    const referred = (node: GrammarNode): readonly string[] => {
      if (node.kind === 'rule') return [node.name]
      if (node.kind === 'sequence' || node.kind === 'choice') return node.items.flatMap(referred)
      return node.kind === 'token' ? [] : referred(node.item)
    }
    for (const { body } of logGrammar()) for (const name of referred(body)) expect(names).toContain(name)
  })
})
