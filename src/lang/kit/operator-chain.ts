import type { Span } from '../../base/index.ts'

/** An operator and its position in the text. */
export interface Operator {
  readonly text: string
  readonly span: Span
}

/** Functions by which `OperatorChain` builds nodes from operands and operators. */
export interface ChainMaker<T, M> {
  unary(op: Operator, operand: T): T
  binary(op: Operator, modifiers: M, lhs: T, rhs: T): T
}

/** Precedence of the operators of a language; a higher number binds tighter. */
export interface Precedences {
  binary(op: string): number
  prefix(op: string): number
  isRightAssociative(op: string): boolean
}

type Pending<M> =
  | { readonly kind: 'prefix'; readonly op: Operator; readonly precedence: number }
  | { readonly kind: 'binary'; readonly op: Operator; readonly modifiers: M; readonly precedence: number }

/**
 * Builds a tree by precedence from a flat chain of operands and operators. Does not recurse, because a chain may have
 * thousands of operands. `M` is the type of the modifiers between an operator and its right operand.
 */
export class OperatorChain<T, M = undefined> {
  readonly #precedences: Precedences
  readonly #maker: ChainMaker<T, M>
  readonly #operands: T[] = []
  readonly #pending: Pending<M>[] = []

  constructor(precedences: Precedences, maker: ChainMaker<T, M>) {
    this.#precedences = precedences
    this.#maker = maker
  }

  prefix(op: Operator): void {
    this.#pending.push({ kind: 'prefix', op, precedence: this.#precedences.prefix(op.text) })
  }

  operand(operand: T): void {
    this.#operands.push(operand)
  }

  binary(op: Operator, modifiers: M): void {
    const precedence = this.#precedences.binary(op.text)
    const isRight = this.#precedences.isRightAssociative(op.text)
    for (let top = this.#pending.at(-1); top !== undefined; top = this.#pending.at(-1)) {
      if (top.precedence < precedence || (top.precedence === precedence && isRight)) break
      this.#reduce()
    }
    this.#pending.push({ kind: 'binary', op, modifiers, precedence })
  }

  /** Returns the tree; `undefined` if the chain is incomplete. */
  finish(): T | undefined {
    while (this.#pending.length > 0) this.#reduce()
    return this.#operands.pop()
  }

  #reduce(): void {
    const top = this.#pending.pop()!
    const last = this.#operands.pop()
    // After a syntax error, an operand may be missing from the chain.
    if (last === undefined) return
    if (top.kind === 'prefix') {
      this.#operands.push(this.#maker.unary(top.op, last))
      return
    }
    const lhs = this.#operands.pop()
    this.#operands.push(lhs === undefined ? last : this.#maker.binary(top.op, top.modifiers, lhs, last))
  }
}
