import { expect, test } from 'vitest'
import { seededRandom } from '../../src/base/index.ts'
import { drawText, parser, tell, textPool } from '../../src/fuzz/parser/index.ts'

test('2,000 random and damaged texts are read without a fault', async () => {
  const report = await parser.run({ seed: 5_000_000, runs: 2000, maxFailures: 3 })
  expect(report.failures).toEqual([])
  expect(report.cases).toBe(2000)
  // The texts must be a mix of valid and invalid queries and cover most diagnostics.
  const sound = (report.notes.get('sound') ?? 0) / report.cases
  expect(sound).toBeGreaterThan(0.2)
  expect(sound).toBeLessThan(0.6)
  expect([...report.notes.keys()].filter((note) => note.startsWith('told: log/')).length).toBeGreaterThan(40)
})

test('the same seed draws the same text', () => {
  const pool = textPool(3)
  for (let seed = 0; seed < 20; seed++)
    expect(drawText(seededRandom(seed), textPool(3))).toEqual(drawText(seededRandom(seed), pool))
})

test('a fault is reported', () => {
  const parts = { check: true, format: true, fixes: true }
  expect(tell('* | limit 5', { dialect: 'native', parts })).toEqual({ fault: undefined, isSound: true, codes: [] })
  const unsound = tell('* | limt 5', { dialect: 'native', parts })
  expect(unsound.isSound).toBe(false)
  expect(unsound.codes).toEqual(['log/unknown-pipe'])
  const notText = tell(undefined as unknown as string, { dialect: 'native', parts })
  expect(notText.fault).toMatch(/^throws SluiceError: `parse` needs a query text/)
})
