import { expect, test } from 'vitest'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { createEngine, printExplainTree } from '../../src/engine/index.ts'
import { warmUp, warmUpQuestions, warmUpSteps, warmUpStore } from '../../src/engine/warm-up.ts'
import { standardFunctions } from '../../src/functions/index.ts'

const engine = createEngine({ backends: [columnarBackend(await warmUpStore(), standardFunctions)], lint: 'off' })

test.each(warmUpQuestions)('$table $query finds partners', async ({ query, table }) => {
  const result = engine.query(query, { table })
  const rows = (await result.toArray()) as readonly { readonly n?: number }[]
  expect(rows.length).toBeGreaterThan(1)
  // Kernels that add up begin at 4,096 rows.
  const counted = rows.reduce((sum, { n = 0 }) => sum + n, 0)
  if (query.includes('count()')) expect(counted).toBeGreaterThan(4096)
  const built = table === 'spans' ? 'right' : 'left'
  expect(printExplainTree(result.explain())).toContain(`builds the ${built} side`)
})

test('the event loop has turns between questions', async () => {
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
  expect(steps % warmUpQuestions.length).toBe(0)
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
  await expect(warmUpStore(AbortSignal.abort())).rejects.toThrow()
  await warmUp({ signal: AbortSignal.abort() })
})
