import { rules } from '../../optimize/index.ts'
import { answerOf, difference } from '../answer.ts'
import type { Oracle } from './oracle.ts'

/** Any subset of the rules gives the same answer. */
export const sameAfterOptimize: Oracle = {
  name: 'same-after-optimize',
  check: async ({ text, subject, model, random }) => {
    const disabledRules = rules.filter(() => random.next() < 0.5).map((rule) => rule.name)
    const backend = random.next() < 0.5 ? 'rows' : 'columnar'
    const found = difference(model, await answerOf(() => subject.ask(text, backend, { disabledRules })))
    return found === undefined ? undefined : `${backend} without the rules ${disabledRules.join(', ')}: ${found}`
  },
}
