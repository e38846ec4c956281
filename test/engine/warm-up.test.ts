import { expect, test } from 'vitest'
import { columnarBackend, warmUpKeys } from '../../src/backends/columnar/index.ts'
import { createEngine, printExplainTree } from '../../src/engine/index.ts'
import { warmUp, warmUpParts, warmUpSteps } from '../../src/engine/warm-up.ts'
import { standardFunctions } from '../../src/functions/index.ts'

const { searches, joins } = warmUpParts
const engineOf = async ({ store }: typeof joins) =>
  createEngine({ backends: [columnarBackend(await store(), standardFunctions)], lint: 'off' })
const [searching, joining] = await Promise.all([searches, joins].map(engineOf))

test.each(searches.questions)('$query finds rows', async ({ query, table }) => {
  const rows = (await searching!.query(query, { table }).toArray()) as readonly { readonly n?: number }[]
  expect(rows.length).toBeGreaterThan(0)
  for (const { n = 1 } of rows) expect(n).toBeGreaterThan(0)
})

test.each(joins.questions)('$table $query finds partners', async ({ query, table }) => {
  const result = joining!.query(query, { table })
  const rows = (await result.toArray()) as readonly { readonly n?: number }[]
  expect(rows.length).toBeGreaterThan(1)
  // Kernels that add up begin at 4,096 rows.
  const counted = rows.reduce((sum, { n = 0 }) => sum + n, 0)
  if (query.includes('count()')) expect(counted).toBeGreaterThan(4096)
  const built = table === 'spans' ? 'right' : 'left'
  expect(printExplainTree(result.explain())).toContain(`builds the ${built} side`)
})

test('the event loop has turns between questions and while keys are looked up', async () => {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  let steps = 0
  for await (const _ of warmUpSteps()) steps++
  isOver = true
  const asked = Object.values(warmUpParts).map(({ questions, rounds }) => questions.length * rounds)
  const keyTurns = Array.from(warmUpKeys()).length
  expect(steps).toBe(asked.reduce((sum, count) => sum + count, keyTurns))
  expect(turns).toBeGreaterThan(steps)
})

test('steps end when the signal aborts', async () => {
  const ending = new AbortController()
  let steps = 0
  const ended = (async () => {
    for await (const _ of warmUpSteps(ending.signal)) if (++steps === 3) ending.abort()
  })()
  await expect(ended).rejects.toThrow()
  expect(steps).toBe(3)
})

test('rows are not stored to the end, either, and it is no error', async () => {
  for (const { store } of Object.values(warmUpParts)) await expect(store(AbortSignal.abort())).rejects.toThrow()
  await warmUp({ signal: AbortSignal.abort() })
})
