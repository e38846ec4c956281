import { rules } from '../../optimize/index.ts'
import { answerOf, difference } from '../answer.ts'
import type { Oracle } from './oracle.ts'

/** Every subset of the optimizer rules gives the same answer. */
export const sameAfterOptimize: Oracle = {
  name: 'same-after-optimize',
  check: async ({ text, subject, model, random }) => {
    const disabledRules = rules.filter(() => random.next() < 0.5).map((rule) => rule.name)
    const options = { disabledRules }
    const ran = subject.rulesOf(text, options).filter((name) => disabledRules.includes(name))
    if (ran.length > 0) return `the rules ${ran.join(', ')} ran though they were left out`
    const backend = random.next() < 0.5 ? 'rows' : 'columnar'
    const found = difference(model, await answerOf(() => subject.query(text, backend, options)))
    return found === undefined ? undefined : `${backend} without the rules ${disabledRules.join(', ')}: ${found}`
  },
}
