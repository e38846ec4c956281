import type { Diagnostic } from '../../base/index.ts'
import type { FunctionDefinitions } from '../../functions/index.ts'
import { and, visit, type Expr } from '../../plan/index.ts'
import { conjuncts, isFalse } from '../conjuncts.ts'
import { lintDiagnostic } from '../lint-diagnostics.ts'
import type { Lint } from '../lint.ts'
import { simplifyExpr } from '../simplify.ts'

/** Maximum number of conjuncts that are compared pairwise. */
const MAX_PAIRED = 64

/** Returns the first conjunct that contradicts an earlier one. */
function excludedTerm(terms: readonly Expr[], functions: FunctionDefinitions): Expr | undefined {
  for (const [i, term] of terms.slice(0, MAX_PAIRED).entries()) {
    for (const other of terms.slice(0, i)) {
      if (isFalse(simplifyExpr(and([other, term]), functions))) return term
    }
  }
  return undefined
}

export const contradiction: Lint = {
  name: 'contradiction',
  summary: 'Conditions that exclude each other leave no rows.',
  check({ plan }, { functions }) {
    const found: Diagnostic[] = []
    const reported = new Set<Expr>()
    visit(plan, (node) => {
      if (node.kind !== 'filter') return
      // Adjacent filters form one condition, so a contradiction in the inner one is reported only once.
      let terms: readonly Expr[] = []
      let current: typeof node | undefined = node
      while (current !== undefined) {
        terms = [...conjuncts(current.predicate), ...terms]
        current = current.input.kind === 'filter' ? current.input : undefined
      }
      if (terms.some((term) => term.kind === 'literal') || terms.some((term) => reported.has(term))) return
      if (!isFalse(simplifyExpr(and(terms), functions))) return
      const term = excludedTerm(terms, functions)
      for (const each of terms) reported.add(each)
      found.push(lintDiagnostic('contradiction', { hasPair: term !== undefined }, (term ?? node.predicate).origin))
    })
    return found
  },
}
