import { expect, test } from 'vitest'
import { seededRandom } from '../../src/base/index.ts'
import { drawText, runParserFuzz, tell, textPool } from '../../src/fuzz/parser/index.ts'

test('20,000 random and damaged texts are read without a fault', { timeout: 60_000 }, async () => {
  const report = await runParserFuzz({ seed: 5_000_000, runs: 20_000, maxFailures: 3 })
  expect(report.failures).toEqual([])
  expect(report.cases).toBe(20_000)
  // Neither all sound nor all nonsense, and most kinds of fault are met.
  expect(report.sound / report.cases).toBeGreaterThan(0.2)
  expect(report.sound / report.cases).toBeLessThan(0.6)
  expect([...report.uses.keys()].filter((use) => use.startsWith('log/')).length).toBeGreaterThan(40)
})

test('the same seed draws the same text', () => {
  const pool = textPool(3)
  for (let seed = 0; seed < 20; seed++)
    expect(drawText(seededRandom(seed), textPool(3))).toEqual(drawText(seededRandom(seed), pool))
})

test('a fault is told', () => {
  const asks = { check: true, format: true, fixes: true }
  expect(tell('* | limit 5', { dialect: 'native', asks })).toEqual({ fault: undefined, isSound: true, codes: [] })
  const unsound = tell('* | limt 5', { dialect: 'native', asks })
  expect(unsound.isSound).toBe(false)
  expect(unsound.codes).toEqual(['log/unknown-pipe'])
  const notText = tell(undefined as unknown as string, { dialect: 'native', asks })
  expect(notText.fault).toMatch(/^throws TypeError/)
})
