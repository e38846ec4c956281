// @module-tag slow
import { array, assert, constantFrom, nat, oneof, property, tuple } from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { applyFix, isError, spanOf } from '../../../src/base/index.ts'
import { productionsOf } from '../../../src/lang/kit/index.ts'
import { canon, format, logGrammar, lower, parse, scan } from '../../../src/lang/log/index.ts'
import { printPlan, type Dialect } from '../../../src/plan/index.ts'
import { sentence } from './sentences.ts'

const dialects: readonly Dialect[] = ['native', 'logsql']
const seeds = readFileSync(new URL('../../../grammar/corpus/log.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('=='))

const characters = constantFrom(
  ...Array.from('abcxyz_019 \t\n"\'`\\()[]{}|,:;!=~<>*+-/.$@#%^&?äß€😀'),
  '\ud800',
  '\udc00',
  '\u0000',
  '\u00a0',
)
const noise = array(characters, { maxLength: 60 }).map((parts) => parts.join(''))

const vocabulary = [
  ...new Set(logGrammar().flatMap((rule) => productionsOf(rule, 'Terminal').map(({ label = '' }) => label))),
]
const soup = array(tuple(constantFrom(...vocabulary, 'a', 'b:c', '"q"', '5m', '10'), constantFrom('', ' ', '  ')), {
  maxLength: 40,
}).map((parts) => parts.flat().join(''))

/** Draws a query of the corpus with a substring removed, doubled or replaced. */
const mutant = tuple(constantFrom(...seeds), nat(), nat(12), constantFrom('cut', 'twice', 'noise'), noise).map(
  ([query, at, length, how, text]) => {
    const start = query.length === 0 ? 0 : at % query.length
    const piece = query.slice(start, start + length)
    const middle = how === 'cut' ? '' : how === 'twice' ? piece + piece : text.slice(0, 4)
    return query.slice(0, start) + middle + query.slice(start + length)
  },
)

const grown = nat().map((seed) => sentence(seed))
const texts = oneof(noise, soup, mutant, grown)
const options = { nowNs: 1_767_268_800_000_000_000n, table: 'logs' }

describe('properties', () => {
  test('no text makes the reader fail, and what it reports lies inside the text', () => {
    assert(
      property(texts, constantFrom(...dialects), (text, dialect) => {
        const { ast, diagnostics } = parse(text, { dialect })
        for (const diagnostic of diagnostics) {
          const where = spanOf(diagnostic.origin)
          expect(where !== undefined && where.start >= 0 && where.start <= where.end).toBe(true)
          expect(where?.end).toBeLessThanOrEqual(text.length)
          for (const fix of diagnostic.fixes) expect(typeof applyFix(text, fix)).toBe('string')
        }
        // An incomplete syntax tree can be lowered too.
        expect(printPlan(lower(ast, { ...options, dialect }))).not.toBe('')
      }),
      { numRuns: 1_500 },
    )
  })

  test('every character of a text is a token, a blank or part of a comment', () => {
    assert(
      property(texts, (text) => {
        const { tokens, comments } = scan(text)
        const covered = [
          ...tokens.map((token) => ({ start: token.startOffset, end: (token.endOffset ?? 0) + 1 })),
          ...comments,
        ].toSorted((a, b) => a.start - b.start)
        let rest = ''
        let at = 0
        for (const { start, end } of covered) {
          expect(start).toBeGreaterThanOrEqual(at)
          rest += text.slice(at, start)
          at = end
        }
        expect((rest + text.slice(at)).trim()).toBe('')
      }),
      { numRuns: 500 },
    )
  })

  test('the canonical text reads to the same plan, and prints again as it is', () => {
    let read = 0
    assert(
      property(texts, constantFrom(...dialects), (text, dialect) => {
        const { ast, diagnostics } = parse(text, { dialect })
        if (diagnostics.some(isError)) return
        read++
        const printed = canon(ast, dialect)
        const again = parse(printed, { dialect })
        expect(again.diagnostics.filter(isError)).toEqual([])
        expect(canon(again.ast, dialect)).toBe(printed)
        if (dialect === 'native') {
          expect(printPlan(lower(again.ast, options))).toBe(printPlan(lower(ast, options)))
        }
      }),
      { numRuns: 2_500 },
    )
    expect(read).toBeGreaterThan(200)
  })

  test('laying out changes nothing but blanks, and nothing the second time', () => {
    assert(
      property(texts, constantFrom(...dialects), (text, dialect) => {
        const laidOut = format(text, { dialect })
        expect(format(laidOut, { dialect })).toBe(laidOut)
        const { ast, diagnostics } = parse(text, { dialect })
        if (diagnostics.some(isError)) expect(laidOut).toBe(text)
        else expect(canon(parse(laidOut, { dialect }).ast, dialect)).toBe(canon(ast, dialect))
        expect(scan(laidOut).comments.length).toBe(scan(text).comments.length)
      }),
      { numRuns: 800 },
    )
  })

  /** Texts that can make a parser slow: long, deeply nested, or never closed. */
  const hostile: readonly (readonly [name: string, text: string])[] = [
    ['open parentheses', '('.repeat(65_000)],
    ['open subqueries', 'x:in('.repeat(13_000)],
    ['bars', '|'.repeat(65_000)],
    ['quotes', '"'.repeat(65_000)],
    ['escapes', `"${'\\'.repeat(60_000)}"`],
    ['colons', 'a:'.repeat(32_000)],
    ['stars', 'a*'.repeat(32_000)],
    ['negations', `${'-'.repeat(65_000)}a`],
    ['words', 'a '.repeat(32_000)],
    ['alternatives', 'a or '.repeat(13_000)],
    ['values', `x:in(${'a,'.repeat(30_000)}b)`],
    ['fields', `* | fields ${'a,'.repeat(30_000)}b`],
    ['a sum', `* | math ${'a+'.repeat(30_000)}b as c`],
    ['comments', '#\n'.repeat(32_000)],
    ['surrogates', '\ud800'.repeat(21_000)],
    ['rows', `* | union rows(${'{"a":"b"},'.repeat(6_000)}{})`],
  ]

  test.each(hostile)('%s are read to their end', (_, text) => {
    for (const dialect of dialects) {
      const { ast, diagnostics } = parse(text, { dialect })
      if (!diagnostics.some(isError)) canon(ast, dialect)
    }
  })
})
