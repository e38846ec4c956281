// @module-tag slow
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { compareReaders, knownDifferences, loadSecondReader } from '../../../src/fuzz/promql/index.ts'
import { printPromql } from '../../../src/lang/promql/index.ts'
import { expressions, wordText } from './arbitrary.ts'

const reader = await loadSecondReader()
if (reader === undefined) throw new Error('the second reader is a development dependency')

function judge(text: string) {
  return compareReaders(text, reader!)
}

function accepts(text: string): boolean {
  return judge(text).isAccepted
}

function differs(text: string): boolean {
  const { isAccepted, isAcceptedThere } = judge(text)
  return isAccepted !== isAcceptedThere
}

test('at most eight kinds are listed', () => expect(knownDifferences.length).toBeLessThanOrEqual(8))

describe('known differences are still there', () => {
  for (const { why, examples, isOursStricter } of knownDifferences) {
    test.each(examples)(`${why}: %s`, (text) => {
      const { isAccepted, isAcceptedThere, reason } = judge(text)
      expect([isAccepted, isAcceptedThere, reason]).toEqual([!isOursStricter, isOursStricter, why])
    })
  }
})

function unexplained(texts: readonly string[]): readonly string[] {
  return texts.filter((text) => differs(text) && judge(text).reason === undefined)
}

const printed = fc
  .sample(expressions({ texts: wordText, depth: 3 }), { seed: 8, numRuns: 2500 })
  .map((expr) => printPromql(expr))

test('both accept what is printed', () => {
  expect(printed.filter((text) => !accepts(text))).toEqual([])
  expect(unexplained(printed)).toEqual([])
  expect(printed.filter((text) => differs(text)).length).toBeLessThan(printed.length / 10)
})

/** Removes a token, or swaps it with the next one. */
function mutate(text: string, choice: number): string {
  const tokens = text.match(/[A-Za-z_:][\w:]*|[0-9.]+[a-z0-9]*|"[^"]*"|\s+|[^]/g) ?? []
  const at = choice % tokens.length
  if (choice % 2 === 0) return tokens.toSpliced(at, 1).join('')
  return tokens.toSpliced(at, 2, tokens[at + 1] ?? '', present(tokens[at])).join('')
}

test('both agree on broken texts', () => {
  const broken = printed.filter((text) => text.length < 120).map((text, i) => mutate(text, i * 7919))
  const refused = broken.filter((text) => !accepts(text))
  expect(refused.length).toBeGreaterThan(broken.length / 5)
  expect(unexplained(broken)).toEqual([])
})
