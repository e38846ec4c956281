import { ExpansionFault } from './faults.ts'

export const templateLimits = {
  /** UTF-16 units of the source of a template, as many as its output may have. */
  sourceChars: 64 * 1024,
  /** UTF-16 units of the output, and of each string that a function returns. */
  outputChars: 64 * 1024,
  /** Actions, operands and iterations of loops in one expansion. */
  steps: 10_000,
  /** Nested blocks, parentheses and template calls. Each level uses about ten stack frames. */
  depth: 200,
} as const

/** Counts the steps, the output and the nesting of one expansion; each method throws ExpansionFault at its limit. */
export class ExpansionBudget {
  readonly #outputChars: number
  #steps = 0
  #depth = 0

  /** `outputChars` limits the output, and each string that a function returns, in UTF-16 units. */
  constructor(outputChars: number = templateLimits.outputChars) {
    this.#outputChars = outputChars
  }

  step(): void {
    if (++this.#steps > templateLimits.steps) {
      throw new ExpansionFault(`the template takes more than ${templateLimits.steps} steps`)
    }
  }

  /** Throws if a string of this length, in UTF-16 units, is too long. */
  checkLength(chars: number): void {
    if (chars > this.#outputChars) {
      throw new ExpansionFault(`a text of the template has more than ${this.#outputChars} characters`)
    }
  }

  /** Runs a nested part (a block, parentheses or another template) one level deeper. */
  nested<R>(inner: () => R): R {
    if (++this.#depth > templateLimits.depth) {
      throw new ExpansionFault(`blocks and templates nest more than ${templateLimits.depth} levels deep`)
    }
    const result = inner()
    this.#depth--
    return result
  }
}
