import { expect, test } from 'vitest'
import { Budget, SluiceError, runWithBudget, type BudgetLimits } from '../../../src/base/index.ts'
import { GrowingDictionary } from '../../../src/store/index.ts'
import { storedReader } from '../../../src/store/persistence/index.ts'
import { DictionariesFile } from '../../../src/store/segments/index.ts'
import { CrashFiles } from '../durable/crash-files.ts'

const PATH = '/disk/logs-1.dictionaries'
const TEXTS = 20_000

/** Returns a dictionary in a file, opened from its description as a reading thread does. */
function told() {
  const dictionary = new GrowingDictionary()
  for (let i = 0; i < TEXTS; i++) dictionary.entries.intern(`id-${(i * 2_654_435_761) % 4_294_967_296}`)
  const written = new DictionariesFile()
  const { chunks, endBytes, records } = written.changes([['id', dictionary]])
  const files = new CrashFiles({}, new Map([[PATH, Buffer.concat([...chunks])]]), ['/disk'])
  const damaged: unknown[] = []
  const reader = storedReader(files, 1 << 20, (_, error) => damaged.push(error))
  const stored = reader.dictionary({ path: PATH, bytes: endBytes, field: 'id', records }, () => [])
  return { whole: dictionary, read: GrowingDictionary.stored(stored), damaged }
}

function budgetOf(memoryBytes: number): Budget {
  const limits: BudgetLimits = { memoryBytes, timeoutMs: Infinity, scanRows: Infinity }
  return new Budget(limits, () => 0, new AbortController().signal)
}

test('the query that needs all of a dictionary in a file is charged for it', () => {
  const { whole, read } = told()
  const budget = budgetOf(1 << 30)
  runWithBudget(budget, () => read.load())
  expect(read.valueAt(TEXTS)).toBe(whole.valueAt(TEXTS))
  expect(budget.usedBytes).toBeGreaterThan(whole.bytes.length)
  expect(budget.usedBytes).toBeLessThan(8 * whole.bytes.length)
})

test('or refused, without a report of damage', () => {
  const { read, damaged } = told()
  const load = (): void => runWithBudget(budgetOf(100_000), () => read.load())
  expect(load).toThrow(SluiceError)
  expect(load).toThrow(expect.objectContaining({ code: 'budget/memory' }))
  expect(damaged).toEqual([])
  // Outside a query, no memory budget applies.
  read.load()
  expect(read.size).toBe(TEXTS + 1)
})
