import { span } from '../../../base/index.ts'
import type { LabelCondition } from '../ast.ts'

/** Separator between two conditions; a missing separator counts as a comma. */
type Joint = 'and' | 'or' | 'comma'

/**
 * Builds a tree from successive conditions. `and` binds tighter than `or`; both are left-associative. A comma means
 * `and`, but has no precedence in Loki's grammar: its right operand is the whole rest, and its left operand is only the
 * condition before it. So `a, b or c` is `a and (b or c)`, and `a or b, c` is `a or (b and c)`.
 */
export class ConditionChain {
  readonly #operands: LabelCondition[] = []
  readonly #pending: Joint[] = []

  add(condition: LabelCondition): void {
    this.#operands.push(condition)
  }

  join(joint: Joint): void {
    for (let top = this.#pending.at(-1); top !== undefined && isTighter(top, joint); top = this.#pending.at(-1)) {
      this.#reduce()
    }
    this.#pending.push(joint)
  }

  finish(): LabelCondition {
    while (this.#pending.length > 0) this.#reduce()
    return this.#operands[0]!
  }

  #reduce(): void {
    const joint = this.#pending.pop()
    const rhs = this.#operands.pop()!
    const lhs = this.#operands.pop()!
    const kind = joint === 'or' ? 'or' : 'and'
    this.#operands.push({ kind, lhs, rhs, span: span(lhs.span.start, rhs.span.end) })
  }
}

function isTighter(held: Joint, next: Joint): boolean {
  if (held === 'comma' || next === 'comma') return false
  return held === 'and' || next === 'or'
}
