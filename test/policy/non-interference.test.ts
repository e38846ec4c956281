import { expect, test } from 'vitest'
import { seededRandom } from '../../src/base/index.ts'
import { answerOf, difference } from '../../src/fuzz/answer.ts'
import { fuzzRows } from '../../src/fuzz/dataset.ts'
import { generateQuery, queryText } from '../../src/fuzz/log-query.ts'
import { visibleRows } from '../../src/fuzz/oracles/scope-never-leaks.ts'
import { generateScopes } from '../../src/fuzz/scopes.ts'
import { makeSubject } from '../../src/fuzz/subject.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { combineScopes } from '../../src/policy/scope/index.ts'
import { standardCatalog } from '../../src/store/index.ts'
import { nonInterference } from './non-interference.ts'

test('answers, errors and explanations under a scope are those over the visible rows', async () => {
  const { cases, mixed, leaks } = await nonInterference(120, 5000)
  expect(leaks).toEqual([])
  expect(cases).toBe(120)
  expect(mixed).toBeGreaterThan(40)
})

test('the comparison would see a scope that is forgotten', async () => {
  const subject = await makeSubject(fuzzRows(seededRandom(3), 60))
  let seen = 0
  for (let seed = 1; seed <= 30; seed++) {
    const random = seededRandom(seed)
    const text = queryText(generateQuery(random))
    const scope = combineScopes(generateScopes(random), { catalog: standardCatalog, functions: standardFunctions })
    const without = await makeSubject(await visibleRows(subject.rows, scope))
    const [leaking, right] = [
      await answerOf(() => subject.ask(text, 'columnar')),
      await answerOf(() => without.ask(text, 'columnar')),
    ]
    if (difference(right, leaking) !== undefined) seen++
    await without.close()
  }
  await subject.close()
  expect(seen).toBeGreaterThan(8)
})
