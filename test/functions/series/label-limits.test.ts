import { describe, expect, test } from 'vitest'
import { Labels, labelLimits } from '../../../src/data/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { createPromql } from '../../../src/engine/metrics/index.ts'
import { SampleStore } from '../../../src/store/index.ts'

const samples = new SampleStore()
const half = labelLimits.chars / 2
for (const [name, value] of [
  ['short', 'ab'],
  ['half', 'x'.repeat(half - 50)],
] as const) {
  samples.writer.append(Labels.of({ __name__: name, a: value }), { timeMs: 0, value: 1 })
}
for (let i = 0; i < 50; i++)
  samples.writer.append(Labels.of({ __name__: 'many', i: `${i}` }), { timeMs: i * 1000, value: i })
const full = Object.fromEntries(Array.from({ length: labelLimits.count - 1 }, (_, i) => [`l${i}`, 'v']))
samples.writer.append(Labels.of({ __name__: 'full', ...full }), { timeMs: 0, value: 1 })
const promql = createPromql(createEngine(), samples.reader)

async function codeOf(query: string, options: Parameters<typeof promql.query>[1] = { timeMs: 0 }): Promise<string> {
  return promql
    .query(query, options)
    .toArray()
    .then(
      (rows) => `${rows.length} rows`,
      (error: { readonly code?: string }) => error.code ?? 'no code',
    )
}

describe('labels that a query makes', () => {
  test.each([
    ['label_join(short, "b", ",", "a", "a")', '1 rows'],
    ['label_join(half, "b", "", "a", "a")', 'series/labels-too-long'],
    ['label_replace(short, "b", "$1$1", "a", "(.*)")', '1 rows'],
    ['label_replace(half, "b", "$1$1", "a", "(.*)")', 'series/labels-too-long'],
    // Each label value alone is short enough; both together exceed the limit.
    ['label_join(half, "b", "", "a")', '1 rows'],
    ['label_join(label_join(half, "b", "", "a"), "c", "", "__name__", "a")', 'series/labels-too-long'],
    ['full', '1 rows'],
    ['label_join(full, "l0", "", "l1", "l2")', '1 rows'],
    ['label_join(full, "one_more", "", "l0")', 'series/too-many-labels'],
    ['count_values("one_more", full)', '1 rows'],
  ])('%s', async (query, outcome) => {
    expect(await codeOf(query)).toBe(outcome)
  })

  test('series that count_values makes are charged before they are there', async () => {
    const range = { startMs: 0, endMs: 50_000, stepMs: 1000 }
    const query = 'count_values("v", many * time())'
    expect(await codeOf(query, { range })).toMatch(/rows$/)
    expect(await codeOf(query, { range, limits: { memoryBytes: 200_000 } })).toBe('budget/memory')
  })
})
