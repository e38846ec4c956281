import { scansOf } from '../../analyze/index.ts'
import type { Expr } from '../../plan/index.ts'
import { conjuncts } from '../conjuncts.ts'
import { lintDiagnostic } from '../lint-diagnostics.ts'
import type { Lint } from '../lint.ts'
import { requiredWords } from '../required-words.ts'

/** True if an index can find the rows that may match the condition, or the zones that contain them. */
function canBeLookedUp(expr: Expr): boolean {
  switch (expr.kind) {
    case 'and':
      return expr.args.some(canBeLookedUp)
    case 'or':
      return expr.args.length > 0 && expr.args.every(canBeLookedUp)
    case 'literal':
      return true
    case 'in-subquery':
      return true
    case 'test':
      switch (expr.test.kind) {
        case 'equals':
        case 'in':
        case 'starts-with':
        case 'range':
        case 'time-range':
          return true
        default:
          return requiredWords(expr).size > 0
      }
    default:
      return false
  }
}

export const unselectiveStart: Lint = {
  name: 'unselective-start',
  summary: 'A query begins with a filter that narrows down what is read.',
  *check({ optimized }) {
    for (const { predicate } of scansOf(optimized)) {
      if (predicate === undefined || conjuncts(predicate).some(canBeLookedUp)) continue
      yield lintDiagnostic('unselective-start', {}, predicate.origin)
    }
  },
}
