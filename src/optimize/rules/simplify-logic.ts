import { mapExpressions } from '../../plan/index.ts'
import type { Rule } from '../rule.ts'
import { simplifyExpr } from '../simplify.ts'

export const simplifyLogic: Rule = {
  name: 'simplify-logic',
  summary: 'Conditions lose what is said twice; conditions that cannot hold become false.',
  examples: {
    changes: 'level:error (level:error or status:500)',
    leaves: 'level:error status:500',
  },
  direction: 'up',
  apply: (plan, { functions }) => mapExpressions(plan, (expr) => simplifyExpr(expr, functions)),
}
