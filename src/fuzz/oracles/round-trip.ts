import { isError } from '../../base/index.ts'
import { canon, parse } from '../../lang/log/index.ts'
import { fingerprint } from '../../plan/index.ts'
import { lowerText } from '../subject.ts'
import type { Oracle } from './oracle.ts'

/** Printing is a fixed point, and the printed text means the same. */
export const roundTrip: Oracle = {
  name: 'round-trip',
  check: async ({ text }) => {
    const first = parse(text)
    if (first.diagnostics.some(isError)) return undefined
    const printed = canon(first.ast)
    const again = parse(printed)
    const fault = again.diagnostics.find(isError)
    if (fault !== undefined) return `the printed text ${printed} is refused: ${fault.message}`
    const twice = canon(again.ast)
    if (twice !== printed) return `printed ${printed}, printed again ${twice}`
    const [plan, planAgain] = [lowerText(text), lowerText(printed)]
    return fingerprint(plan) === fingerprint(planAgain)
      ? undefined
      : `the printed text ${printed} lowers to another plan`
  },
}
