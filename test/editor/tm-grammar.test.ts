import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { filterDefinitions, pipeDefinitions, statsForms } from '../../src/lang/log/index.ts'
import { logTextMateGrammar } from '../../src/editor/index.ts'

const file = new URL('../../grammar/log.tmLanguage.json', import.meta.url)

interface Pattern {
  readonly name?: string
  readonly match?: string
}

/** Returns the patterns in JavaScript syntax: inline flag groups become flags of the whole expression. */
function patternsOf(text: string): readonly (Pattern & { readonly match: string })[] {
  const { patterns } = JSON.parse(text) as { patterns: readonly Pattern[] }
  return patterns.flatMap((pattern) => (pattern.match === undefined ? [] : [{ ...pattern, match: pattern.match }]))
}

describe('TextMate grammar', () => {
  test('the committed file is up to date', () => {
    const text = logTextMateGrammar()
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  const patterns = patternsOf(logTextMateGrammar())
  const matching = (text: string): readonly string[] =>
    patterns
      .filter(({ match }) => new RegExp(match.replaceAll('(?i:', '(?:'), 'iu').test(text))
      .map(({ name, match }) => name ?? match.slice(0, 4))

  test('every pattern is a regular expression and matches something', () => {
    const all = matching('a:in(x) and not b | stats by (c) count() as n, 5, $e # d')
    expect(all.length).toBe(patterns.length)
  })

  test('every name of the lists has its colour', () => {
    for (const name of pipeDefinitions.flatMap(({ names }) => names)) expect(matching(`| ${name}`)).toContain('(\\|)')
    for (const name of filterDefinitions.flatMap(({ names }) => names))
      expect(matching(`${name}(`)).toContain('support.function.filter.sluice-log')
    for (const name of statsForms.keys()) expect(matching(`${name}(`)).toContain('support.function.sluice-log')
  })
})
