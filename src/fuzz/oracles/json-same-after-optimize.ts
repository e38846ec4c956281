import { rules } from '../../optimize/index.ts'
import { answerOf, difference } from '../answer.ts'
import type { JsonLaw } from './json-law.ts'

/** Every subset of the optimizer rules gives the same answer. */
export const jsonSameAfterOptimize: JsonLaw = {
  name: 'json-same-after-optimize',
  check: async ({ plan, range, subject, model, random }) => {
    const disabledRules = rules.filter(() => random.next() < 0.5).map((rule) => rule.name)
    const backend = random.next() < 0.5 ? 'rows' : 'columnar'
    const found = difference(model, await answerOf(() => subject.queryPlan(plan, backend, { range, disabledRules })))
    return found === undefined ? undefined : `${backend} without the rules ${disabledRules.join(', ')}: ${found}`
  },
}
