// @module-tag slow
import { describe, expect, test } from 'vitest'
import {
  at,
  insertAt,
  isError,
  nowhere,
  replaceWith,
  saidOnce,
  type Diagnostic,
  type Fix,
} from '../../src/base/index.ts'
import {
  firstFixIsMeant,
  fixes,
  fixesHold,
  fixesInventNothing,
  reportedOnce,
  type FixedText,
} from '../../src/fuzz/fixes/index.ts'
import { logDiagnostic, parse } from '../../src/lang/log/index.ts'
import { mistakes } from '../lang/log/mistakes/index.ts'

test('fixes of 1,500 damaged texts keep every law', async () => {
  const report = await fixes.run({ seed: 5_000_000, runs: 1_500, maxFailures: 3 })
  expect(report.failures).toEqual([])
  expect(report.cases).toBe(1_500)
  // The law must apply to enough cases to be meaningful.
  expect((report.notes.get('meant') ?? 0) / report.cases).toBeGreaterThan(0.1)
  expect([...report.notes.keys()].filter((note) => note.startsWith('fixed: log/')).length).toBeGreaterThan(20)
})

const check = (text: string): readonly Diagnostic[] => parse(text).diagnostics

function given(text: string, change: Partial<FixedText> = {}): FixedText {
  const diagnostics = check(text)
  const dataWords = new Set<string>()
  const answer = async (asked: string) => ({ rows: [asked] })
  return { text, dialect: 'native', diagnostics, meant: undefined, dataWords, check, answer, ...change }
}

function fixedBy(text: string, ...made: readonly Fix[]): FixedText {
  return given(text, { diagnostics: check(text).map((each) => ({ ...each, fixes: made })) })
}

describe('a law is broken by', () => {
  test('a fix after which the text does not read, that changes nothing, or that leaves its error', async () => {
    const text = '* | limt 5'
    expect(await fixesHold.check(given(text))).toBeUndefined()
    expect(await fixesHold.check(fixedBy(text, insertAt(0, '(')))).toMatch(/is refused: log\/unexpected/)
    expect(await fixesHold.check(fixedBy(text, insertAt(0, '')))).toMatch(/changes nothing/)
    expect(await fixesHold.check(fixedBy(text, insertAt(10, '0')))).toMatch(/is refused: log\/unknown-pipe/)
    const two = '* | limt 5 | limt 6'
    expect(await fixesHold.check(given(two))).toBeUndefined()
    expect(await fixesHold.check(fixedBy('* | limt 5 | srot', insertAt(10, '0')))).toMatch(/which says the same/)
  })

  test('a fix with a number, a string or a name from nowhere', async () => {
    const text = 'load:50%'
    expect(await fixesInventNothing.check(given(text))).toBeUndefined()
    for (const stray of ['10', 'cpu', '"x"', '50 or load:51'])
      expect(await fixesInventNothing.check(fixedBy(text, replaceWith({ start: 5, end: 8 }, stray))), stray).toMatch(
        /which invents/,
      )
    const data = { dataWords: new Set(['cpu']) }
    const named = { ...fixedBy(text, replaceWith({ start: 0, end: 8 }, 'cpu:"50%"')), ...data }
    expect(await fixesInventNothing.check(named)).toBeUndefined()
  })

  test('a first fix with another answer than the query that was meant', async () => {
    const meant = 'm:*"50%"*'
    expect(await firstFixIsMeant.check(given('m:*50%*', { meant }))).toBeUndefined()
    const other = { ...fixedBy('m:*50%*', replaceWith({ start: 2, end: 7 }, '"*50%*"')), meant }
    expect(await firstFixIsMeant.check(other)).toMatch(/but m:\*"50%"\* was meant: 1 against 1 rows/)
  })

  test('a message that is said twice, or one code at one place', async () => {
    const one = logDiagnostic('bad-pattern', { reason: 'it is odd' }, at({ start: 0, end: 1 }))
    const elsewhere = logDiagnostic('bad-pattern', { reason: 'it is odd' }, at({ start: 4, end: 5 }))
    const other = logDiagnostic('bad-pattern', { reason: 'it is even' }, at({ start: 0, end: 1 }))
    expect(await reportedOnce.check(given('*', { diagnostics: [one] }))).toBeUndefined()
    expect(await reportedOnce.check(given('*', { diagnostics: [one, elsewhere] }))).toMatch(/says twice: message/)
    expect(await reportedOnce.check(given('*', { diagnostics: [one, other] }))).toMatch(/bad-pattern at 0 to 1/)
    const once = saidOnce([one, elsewhere, other, { ...one, origin: nowhere }])
    expect(await reportedOnce.check(given('*', { diagnostics: once.slice(0, 1) }))).toBeUndefined()
    expect(once.map(({ notes }) => notes)).toEqual([['The same holds at one more place.'], []])
  })
})

test('no fix of a query that a newcomer writes leaves its error', async () => {
  const broken: string[] = []
  for (const { query } of mistakes) {
    if (!check(query).some(isError)) continue
    const fault = await fixesHold.check(given(query))
    if (fault !== undefined) broken.push(`${query}: ${fault}`)
  }
  expect(broken).toEqual([])
})
