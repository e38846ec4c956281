import type { Diagnostic } from '../../base/index.ts'
import { expressions, visit, visitExpr, type Expr } from '../../plan/index.ts'
import { lintDiagnostic } from '../lint-diagnostics.ts'
import type { Lint } from '../lint.ts'

/** Levels from least to most severe. */
const LEVELS = [
  'trace',
  'verbose',
  'debug',
  'info',
  'notice',
  'warn',
  'error',
  'critical',
  'alert',
  'emergency',
  'fatal',
  'panic',
]

/**
 * Returns the levels that a comparison most likely means; `undefined` if it does not compare a level field with a level
 * name.
 */
function meant(expr: Expr): readonly string[] | undefined {
  if (expr.kind !== 'test' || expr.arg.kind !== 'column' || expr.arg.name !== 'level') return undefined
  if (expr.test.kind !== 'compare-text') return undefined
  const { op, text } = expr.test
  const at = LEVELS.indexOf(text.toLowerCase())
  if (at === -1) return undefined
  const from = op === 'ge' ? at : at + 1
  const to = op === 'lt' ? at : at + 1
  return op === 'ge' || op === 'gt' ? LEVELS.slice(from) : LEVELS.slice(0, to)
}

export const levelOrder: Lint = {
  name: 'level-order',
  summary: 'A comparison of levels is one of texts, not of how severe they are.',
  check({ plan }) {
    const found: Diagnostic[] = []
    visit(plan, (node) => {
      for (const root of expressions(node))
        visitExpr(root, (expr) => {
          const levels = meant(expr)
          if (levels === undefined) return
          const instead = `level:in(${levels.join(', ')})`
          found.push(lintDiagnostic('level-order', { instead }, expr.origin))
        })
    })
    return found
  },
}
