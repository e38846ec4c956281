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
function excludedPart(parts: readonly Expr[], functions: FunctionDefinitions): Expr | undefined {
  for (const [i, part] of parts.slice(0, MAX_PAIRED).entries()) {
    for (const other of parts.slice(0, i)) {
      if (isFalse(simplifyExpr(and([other, part]), functions))) return part
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
      let parts: readonly Expr[] = []
      let current: typeof node | undefined = node
      while (current !== undefined) {
        parts = [...conjuncts(current.predicate), ...parts]
        current = current.input.kind === 'filter' ? current.input : undefined
      }
      if (parts.some((part) => part.kind === 'literal') || parts.some((part) => reported.has(part))) return
      if (!isFalse(simplifyExpr(and(parts), functions))) return
      const part = excludedPart(parts, functions)
      for (const each of parts) reported.add(each)
      found.push(lintDiagnostic('contradiction', { hasPair: part !== undefined }, (part ?? node.predicate).origin))
    })
    return found
  },
}
