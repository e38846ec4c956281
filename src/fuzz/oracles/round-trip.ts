import { isError } from '../../base/index.ts'
import { canon } from '../../lang/log/index.ts'
import { fingerprintOf } from '../fingerprint-of.ts'
import { answerOf, difference } from '../answer.ts'
import type { Oracle } from './oracle.ts'

/** Printing a query and parsing it again keeps its meaning, and printing is idempotent. */
export const roundTrip: Oracle = {
  name: 'round-trip',
  check: async ({ text, subject, model }) => {
    const { dialect } = subject.setting
    const first = subject.parsed(text)
    if (first.diagnostics.some(isError)) return undefined
    const printed = canon(first.ast, dialect)
    const again = printed === text ? first : subject.parsed(printed)
    const fault = again.diagnostics.find(isError)
    if (fault !== undefined) return `the printed text ${printed} is refused: ${fault.message}`
    const twice = canon(again.ast, dialect)
    if (twice !== printed) return `printed ${printed}, printed again ${twice}`
    if (printed === text) return undefined
    const [plan, planAgain] = [subject.lowered(text), subject.lowered(printed)]
    if (fingerprintOf(plan) === fingerprintOf(planAgain)) return undefined
    if (dialect === 'native') return `the printed text ${printed} lowers to another plan`
    // LogsQL may be printed as a simpler query, so the plans may differ but the answers must not.
    const found = difference(model, await answerOf(() => subject.query(printed, 'rows')))
    return found === undefined ? undefined : `the printed text ${printed} answers otherwise: ${found}`
  },
}
