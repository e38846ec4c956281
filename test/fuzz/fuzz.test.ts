import { expect, test } from 'vitest'
import { textDefinition, texts } from '../../src/fuzz/texts.ts'
import { lawBreaks } from '../../src/fuzz/runner/index.ts'

test('80 random cases break no law', async () => {
  const report = await texts.run({ runs: 80, seed: 7_000_000, maxFailures: 3 })
  expect(report.failures).toEqual([])
  expect(report.cases).toBe(80)
  const refused = report.notes.get('refused') ?? 0
  // Most questions must find rows to be meaningful.
  expect((report.notes.get('empty') ?? 0) / (report.cases - refused)).toBeLessThan(0.45)
  expect(refused / report.cases).toBeLessThan(0.15)
})

test('a law that is broken is found', async () => {
  const law = {
    name: 'no-errors',
    check: ({ model }: { readonly model: object }) =>
      'rows' in model && JSON.stringify(model.rows).includes('error') ? 'an error' : undefined,
  }
  const rows = [{ timeNs: 1n, sequence: 0, row: new Map([['level', 'error']]) }]
  expect(await lawBreaks(textDefinition(), law, { filter: 'level:error', pipes: [], rows })).toBe('an error')
  expect(await lawBreaks(textDefinition(), law, { filter: 'level:warn', pipes: [], rows })).toBeUndefined()
})
