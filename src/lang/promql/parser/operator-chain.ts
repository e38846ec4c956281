import type { Span } from '../../../base/index.ts'

export interface Operator {
  readonly text: string
  readonly span: Span
}

/** Functions by which `OperatorChain` builds nodes from operands and operators. */
export interface ChainMaker<T, M> {
  unary(op: Operator, operand: T): T
  binary(op: Operator, modifiers: M, lhs: T, rhs: T): T
}

const PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ['or', 1],
  ['and', 2],
  ['unless', 2],
  ...['==', '!=', '<=', '<', '>=', '>', '</', '>/'].map((op) => [op, 3] as const),
  ['+', 4],
  ['-', 4],
  ...['*', '/', '%', 'atan2'].map((op) => [op, 5] as const),
  ['^', 6],
])
/** Precedence of a sign, the same as that of a product: `-1 ^ 2` means `-(1 ^ 2)`. */
const SIGN_PRECEDENCE = 5

export function precedenceOf(op: string): number {
  return PRECEDENCE.get(op) ?? 0
}

export function isRightAssociative(op: string): boolean {
  return op === '^'
}

type Pending<M> =
  | { readonly kind: 'sign'; readonly op: Operator }
  | { readonly kind: 'binary'; readonly op: Operator; readonly modifiers: M; readonly precedence: number }

/**
 * Builds a tree by precedence from a flat chain of operands and operators. Works without recursion, since a chain may
 * have thousands of operands.
 */
export class OperatorChain<T, M> {
  readonly #maker: ChainMaker<T, M>
  readonly #operands: T[] = []
  readonly #pending: Pending<M>[] = []

  constructor(maker: ChainMaker<T, M>) {
    this.#maker = maker
  }

  sign(op: Operator): void {
    this.#pending.push({ kind: 'sign', op })
  }

  operand(operand: T): void {
    this.#operands.push(operand)
  }

  binary(op: Operator, modifiers: M): void {
    const precedence = precedenceOf(op.text)
    for (let top = this.#pending.at(-1); top !== undefined; top = this.#pending.at(-1)) {
      const held = top.kind === 'sign' ? SIGN_PRECEDENCE : top.precedence
      if (held < precedence || (held === precedence && isRightAssociative(op.text))) break
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
    // After a syntax error, the chain may lack an operand.
    if (last === undefined) return
    if (top.kind === 'sign') {
      this.#operands.push(this.#maker.unary(top.op, last))
      return
    }
    const lhs = this.#operands.pop()
    this.#operands.push(lhs === undefined ? last : this.#maker.binary(top.op, top.modifiers, lhs, last))
  }
}
