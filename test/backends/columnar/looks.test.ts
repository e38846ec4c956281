import { afterEach, expect, test, vi } from 'vitest'
import { Budget } from '../../../src/base/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import { storedRows } from '../../../bench/datasets.ts'

const rows = [...storedRows({ rows: 20_000, seed: 5 })]
const store = createMemoryStore(standardCatalog)
store.table('logs').appendRows(rows)
store.table('logs').seal()
const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })

afterEach(() => {
  vi.restoreAllMocks()
})

/** Each makes one row at most, so that no looks come from handing out batches. */
const queries = [
  ['a regular expression', '* | filter content:~"(.*a){6}q" | stats count()'],
  ['many substrings', `${Array.from({ length: 300 }, (_, i) => `content:*n${i}x*`).join(' or ')} | stats count()`],
  ['a pattern over a dictionary', 'trace_id:~"(.*a){6}q" | stats count()'],
  ['a text function', '* | replace_regexp ("[aeiou]+", "<>") at content | stats max(content)'],
  ['a template', '* | format "<content><content><content>" as c | stats max(c)'],
  ['a sort', '* | sort by (content, pod) | limit 1'],
  ['a sort of numbers', '* | math duration_ms % 7 as d | sort by (d) | offset 19999'],
  ['groups of texts', '* | stats by (content) count() c | offset 1000000'],
  ['values of a group', '* | stats uniq_values(content)'],
  [
    'many conditions',
    `* | stats ${Array.from({ length: 100 }, (_, i) => `count() if (content:*n${i}x*) c${i}`).join(', ')}`,
  ],
] as const

test.each(queries)('%s looks at the cancel word inside its loops', async (_, text) => {
  // The driver's clock stands still, so that every look but the first comes from inside.
  vi.spyOn(performance, 'now').mockReturnValue(0)
  const looks = vi.spyOn(Budget.prototype, 'checkpoint')
  await engine.query(text).toArray()
  const before = looks.mock.calls.length
  expect(before).toBeGreaterThan(6)
  // Cancelled at the look in the middle, it ends there.
  looks.mockImplementation(function (this: Budget) {
    if (looks.mock.calls.length - before === before >> 1) this.cancel()
    if (this.isCancelled) throw new Error('stopped')
  })
  await expect(engine.query(text).toArray()).rejects.toThrow('stopped')
  expect(looks.mock.calls.length - before).toBeLessThanOrEqual((before >> 1) + 1)
})
