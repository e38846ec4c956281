import { expect, test } from 'vitest'
import { createEngine } from '../../src/engine/index.ts'
import { rules } from '../../src/optimize/index.ts'

const engine = createEngine({ tables: { logs: [{ content: 'a' }, { content: 'b' }] } })
const query = 'content:a or content:in(* | fields content | limit 1) | stats count() n'

test('a query is planned in turns, one a rule at least, to the plan that it has at once', async () => {
  const { plan } = engine.planOfText(query, {})
  const turns = engine.queryInTurns(plan)
  let count = 0
  for (;;) {
    const next = turns.next()
    if (next.done === true) {
      expect(next.value.plan).toEqual(engine.queryPlan(plan).plan)
      expect(await next.value.toArray()).toEqual([{ n: 1 }])
      break
    }
    count++
  }
  expect(count).toBeGreaterThan(rules.length)
})
