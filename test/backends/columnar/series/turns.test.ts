import { expect, test } from 'vitest'
import { run, storeOf } from './metrics.ts'

const SERIES = 40
const store = storeOf(
  Object.fromEntries(Array.from({ length: SERIES }, (_, i) => [`m{pod=p${i}}`, [i, i + 1, i * 2, i % 3, 7]])),
)

async function turnsOf(query: string): Promise<number> {
  let turns = 0
  await run(store, query, { startMs: 0, endMs: 60_000, stepMs: 15_000 }, undefined, async () => {
    turns++
    return Promise.resolve()
  })
  return turns
}

/** Beside those between operators, which are a few. */
test.each([
  ['label_replace(m, "pod", "$1$1", "pod", "(.*)")', SERIES],
  ['label_join(m, "pod", "-", "pod", "pod")', SERIES],
  ['count_values("v", m)', SERIES],
  ['count_values("v", m * time())', 2 * SERIES],
  ['sum by (pod) (m)', SERIES],
  ['m + m', SERIES],
  ['m + on (pod) group_left m', SERIES],
  ['m and m', SERIES],
  ['m or m * 2', 2 * SERIES],
  ['m * 2', SERIES],
  ['-m', SERIES],
  ['rate(m[1m])', SERIES],
])('%s leaves others a turn for each series', async (query, least) => {
  expect(await turnsOf(query)).toBeGreaterThanOrEqual(least)
})
