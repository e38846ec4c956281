import { describe, expect, test } from 'vitest'
import {
  compareLanguage,
  loadReader,
  logqlReaders,
  readersFuzzers,
  traceqlReaders,
} from '../../src/fuzz/readers/index.ts'

describe.each([
  ['LogQL', logqlReaders],
  ['TraceQL', traceqlReaders],
])('%s', (_, language) => {
  const { knownDifferences } = language

  test.each(knownDifferences.flatMap((kind) => kind.examples.map((text) => [kind.why, text, kind] as const)))(
    'known difference: %s: %s',
    async (why, text, { isOursStricter }) => {
      const other = await loadReader(language.load)
      if (other === undefined) throw new Error('the second reader is a development dependency')
      expect(compareLanguage(text, language, other)).toEqual({
        isAccepted: !isOursStricter,
        isAcceptedThere: isOursStricter,
        reason: why,
      })
    },
  )
})

test.each(readersFuzzers)('$name agree on drawn and damaged texts', async (fuzzer) => {
  const { cases, failures, notes } = await fuzzer.run({ seed: 1, runs: 1000, maxFailures: 3 })
  expect(failures).toEqual([])
  expect(cases).toBe(1000)
  expect(notes.has('without the second reader')).toBe(false)
  expect(notes.get('refused')).toBeGreaterThan(200)
  const differing = [...notes].reduce((sum, [note, count]) => sum + (note.startsWith('differs') ? count : 0), 0)
  expect(differing).toBeLessThan(100)
})
