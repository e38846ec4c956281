import { parser as lezerParser } from '@prometheus-io/lezer-promql'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePromql, printPromql } from '../../../src/lang/promql/index.ts'
import { expressions, wordText } from './arbitrary.ts'

/** Faults of form; the other reader knows nothing of meaning. */
const FORM = new Set(
  [
    'unexpected',
    'bad-token',
    'no-expression',
    'trailing-comma',
    'bad-duration',
    'unknown-function',
    'too-many-errors',
  ].map((code) => `promql/${code}`),
)

function accepts(text: string): boolean {
  return !parsePromql(text, { limits: { nesting: 1000 } }).diagnostics.some(({ code }) => FORM.has(code))
}

function lezerAccepts(text: string): boolean {
  let hasError = false
  lezerParser.parse(text).iterate({
    enter: (node) => {
      if (node.type.isError) hasError = true
    },
  })
  return !hasError
}

interface Difference {
  readonly why: string
  /** Whether a text may differ for this reason. */
  readonly fits: (text: string) => boolean
  /** Texts that show it, which keeps the list honest. */
  readonly examples: readonly string[]
  readonly isOursStricter: boolean
}

/** Where both readers are known to differ; ours follows the reference's own reader, not its editor's. */
const KNOWN: readonly Difference[] = [
  {
    why: 'max_of and min_of are functions outside of durations too',
    fits: (text) => /\bm(ax|in)_of\b/.test(text),
    examples: ['max_of(1, 2)', 'vector(min_of(1, 2))'],
    isOursStricter: false,
  },
  {
    why: 'a number ends where no letter or digit follows',
    fits: (text) => /[0-9][A-Za-z_]/.test(text),
    examples: ['a @ 5offset 1m', '1atan2 a'],
    isOursStricter: true,
  },
  {
    why: 'atan2 cannot name a metric',
    fits: (text) => /\batan2\b/.test(text),
    examples: ['atan2', 'atan2 {a="b"}'],
    isOursStricter: true,
  },
  {
    why: 'offset can name a metric before a sign',
    fits: (text) => /\boffset\s+[-+]/.test(text),
    examples: ['offset -5m', 'a + offset - 1'],
    isOursStricter: false,
  },
  {
    why: 'the other reader closes open strings and passes unknown escapes',
    fits: (text) => /["'\\]/.test(text),
    examples: ['"abc', '"\\q"'],
    isOursStricter: true,
  },
  {
    why: 'a number may end in a point',
    fits: (text) => /[0-9]\.(?![0-9])/.test(text),
    examples: ['5.', 'a + 1.'],
    isOursStricter: false,
  },
  {
    why: 'an exponent cannot come twice, which cuts some hexadecimal numbers',
    fits: (text) => /0[xX]/.test(text),
    examples: ['0xeee'],
    isOursStricter: true,
  },
  {
    why: 'without cannot be a label in a list, a name with a colon can',
    fits: (text) => /\bwithout\b|\w:\w/.test(text),
    examples: ['sum by (without) (a)'],
    isOursStricter: true,
  },
]

function differs(text: string): boolean {
  return accepts(text) !== lezerAccepts(text)
}

describe('known differences are still there', () => {
  for (const { why, examples, isOursStricter } of KNOWN) {
    test.each(examples)(`${why}: %s`, (text) => {
      expect([accepts(text), lezerAccepts(text)]).toEqual([!isOursStricter, isOursStricter])
    })
  }
})

function unexplained(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => differs(text) && !KNOWN.some(({ fits }) => fits(text)))
}

const printed = fc
  .sample(expressions({ texts: wordText, depth: 3 }), { seed: 8, numRuns: 2500 })
  .map((expr) => printPromql(expr))

test('both accept what is printed', () => {
  expect(printed.filter((text) => !accepts(text))).toEqual([])
  expect(unexplained(printed)).toEqual([])
  expect(printed.filter((text) => differs(text)).length).toBeLessThan(printed.length / 10)
})

/** One token left out, or exchanged with the next. */
function mutate(text: string, choice: number): string {
  const tokens = text.match(/[A-Za-z_:][\w:]*|[0-9.]+[a-z0-9]*|"[^"]*"|\s+|[^]/g) ?? []
  const at = choice % tokens.length
  if (choice % 2 === 0) return tokens.toSpliced(at, 1).join('')
  return tokens.toSpliced(at, 2, tokens[at + 1] ?? '', tokens[at]).join('')
}

test('both agree on broken texts', () => {
  const broken = printed.filter((text) => text.length < 120).map((text, i) => mutate(text, i * 7919))
  const refused = broken.filter((text) => !accepts(text))
  expect(refused.length).toBeGreaterThan(broken.length / 5)
  expect(unexplained(broken)).toEqual([])
})
