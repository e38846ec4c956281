import { expect, test } from 'vitest'
import { Planner } from '../../../src/engine/planner.ts'
import { printPlan } from '../../../src/plan/index.ts'
import { sheet } from '../checked.ts'

const planner = new Planner({ lint: 'off' })

function planOf(query: string): string {
  return `\n${printPlan(planner.plan(query).optimized)}\n`
}

test('the best rows are chosen before fields are, when those of the keys stay', () => {
  const query = '* | extract "s=<code> " | fields duration_ms, code | sort by (duration_ms desc) limit 5 | fields code'
  expect(planOf(query)).toMatch(/apply extract .*\n *sort duration_ms desc limit 5\n *scan/)
})

test('rows that come newest first still do when some of their fields are chosen', () => {
  expect(planOf('* | fields _time, pod | sort by (_time desc) | limit 5')).not.toContain('sort')
})

test('a condition on a key goes to the right side past the fields that are chosen on the left', () => {
  expect(planOf('pod:api-1 | fields pod, level | join by (pod) (* | stats by (pod) count() as n)')).toBe(
    sheet(`
      join left on (pod)
        project pod, level
          scan logs always columns=(level, pod) where pod = i:"api-1"
        aggregate by (pod) count() as n
          scan logs always columns=(pod) where pod = i:"api-1"
    `),
  )
})

test('a field that was left out and made anew is another one', () => {
  const query = 'pod:api-1 | fields level | math 1 + 1 as pod | join by (pod) (* | stats by (pod) count() as n)'
  expect(planOf(query).match(/api-1/g)).toHaveLength(1)
})
