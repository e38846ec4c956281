// @module-tag slow
import { afterEach, expect, test, vi } from 'vitest'
import { Budget } from '../../../src/base/index.ts'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'
import { storedRows } from '../../../bench/datasets.ts'

const rows = [...storedRows({ rows: 20_000, seed: 5 })]
const store = createMemoryStore(standardCatalog)
store.table('logs').writer.appendRows(rows)
store.table('logs').seal()
const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })

afterEach(() => {
  vi.restoreAllMocks()
})

/** Queries that return at most one row, so that no checkpoint comes from returning batches. */
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
  ['groups of many keys', '* | stats by (content, pod, trace_id, _time:1µs) count() c | offset 1000000'],
  ['rows of many keys', '* | uniq by (content, pod, trace_id, duration_ms) | offset 1000000'],
  ['a sort by many fields', '* | sort by (content, pod, trace_id, workload, level, status) | limit 1'],
  ['the last of many', '* | running_stats last(content) offset 5000 as c | stats max(c)'],
  ['buckets to fill', '* | stats by (_time:10s fill, level) count() n | stats max(n)'],
  ['a window in order', '* | window partition by (level) order by (content) lag(content) as a | stats max(a)'],
  ['patterns', '* | patterns 1'],
  ['facets', '* | facets 1 | limit 1'],
  ['digits of a long text', '* | limit 3000 | stats values(content) as v | format "<hexencode:v>" as h | fields h'],
  [
    'many conditions',
    `* | stats ${Array.from({ length: 100 }, (_, i) => `count() if (content:*n${i}x*) c${i}`).join(', ')}`,
  ],
  ['a call for each row', '* | stats uniq_values(content) as v'],
  [
    'results of many calls',
    `* | stats ${Array.from({ length: 20 }, (_, i) => `uniq_values(content) limit ${i + 1} as v${i}`).join(', ')}`,
  ],
  ['distinct values in order', '* | stats uniq_values(trace_id) as v | stats count_uniq(v) n'],
  ['rows put in the gaps', '* | stats by (_time:10s fill, level) count() n | stats max(n)'],
  ['rows around each other', 'level:error | stream_context before 1 | stats count() n'],
  ['patterns in order', '* | patterns 1 | limit 1'],
  [
    'many expensive conditions',
    `${Array.from({ length: 300 }, (_, i) => `content:~"(a|b)*${i}.*x"`).join(' or ')} | stats count() n`,
  ],
  ['rows of a table function', '* | facets 1 | limit 1'],
  ['digits of one long text', '* | stats values(content) as v | format "<hexencode:v>" as h | stats max(h)'],
  ['quotes of one long text', '* | stats values(content) as v | format "<q:v>" as h | stats max(h)'],
  ['one long text with many places', '* | stats values(content) as v | replace ("e", "x") at v | stats max(v)'],
  ['one long text with many matches', '* | stats values(content) as v | replace_regexp ("e", "x") at v | stats max(v)'],
  [
    'a chain of pipes',
    `* | limit 1000 | ${Array.from({ length: 20 }, (_, i) => `format "x${i}" as y${i}`).join(' | ')} | stats max(y1)`,
  ],
] as const

test.each(queries)('%s looks at the cancel word inside its loops', async (_, text) => {
  // With a stopped clock the driver adds no checkpoints: every one except the first comes from inside the operators.
  vi.spyOn(performance, 'now').mockReturnValue(0)
  const looks = vi.spyOn(Budget.prototype, 'checkpoint')
  await engine.query(text).toArray()
  const before = looks.mock.calls.length
  expect(before).toBeGreaterThan(6)
  // Cancel at the middle checkpoint: the query must end there.
  looks.mockImplementation(function (this: Budget) {
    if (looks.mock.calls.length - before === before >> 1) this.cancel()
    if (this.isCancelled) throw new Error('stopped')
  })
  await expect(engine.query(text).toArray()).rejects.toThrow('stopped')
  expect(looks.mock.calls.length - before).toBeLessThanOrEqual((before >> 1) + 1)
})
