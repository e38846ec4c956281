import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { createEngine } from 'sluice'
import { parseFind, planFind } from './language.ts'

const logs = [
  { workload: 'cart', level: 'error' },
  { workload: 'cart', level: 'error' },
  { workload: 'shop', level: 'info' },
]
const engine = createEngine({ tables: { logs } })

async function answer(text: string): Promise<readonly object[]> {
  const { query, diagnostics } = parseFind(text)
  if (query === undefined || diagnostics.length > 0)
    throw new Error(diagnostics.map(({ message }) => message).join(' '))
  return engine.queryPlan(planFind(query)).toArray()
}

test('rows', async () => {
  deepEqual(await answer('find 1 logs with level ERROR'), [{ workload: 'cart', level: 'error' }])
})

test('counts', async () => {
  deepEqual(await answer('find logs with level error with workload cart by workload'), [{ workload: 'cart', count: 2 }])
})

test('each mistake has its place', () => {
  const text = 'find 1 2 with level by'
  const found = parseFind(text).diagnostics.map(({ origin }) => (origin.kind === 'text' ? origin.span.start : -1))
  equal(found[0], text.indexOf('2'))
})
