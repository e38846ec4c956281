import { ExpansionFault } from './faults.ts'

export const templateLimits = {
  /** Maximum length of a template's source, UTF-16 units; equal to that of its output. */
  sourceChars: 64 * 1024,
  /** Maximum length of the output, and of each string that a function returns, UTF-16 units. */
  outputChars: 64 * 1024,
  /** Maximum number of actions, operands and loop iterations in one expansion. */
  steps: 10_000,
  /** Maximum nesting depth of blocks, parentheses and template calls. Each level uses about ten stack frames. */
  depth: 200,
} as const

/**
 * Counts the steps, the output and the nesting of one expansion. Each method throws ExpansionFault if its limit is
 * exceeded.
 */
export class ExpansionBudget {
  readonly #outputChars: number
  #steps = 0
  #depth = 0

  /** `outputChars` is the maximum length of the output, and of each string that a function returns, UTF-16 units. */
  constructor(outputChars: number = templateLimits.outputChars) {
    this.#outputChars = outputChars
  }

  step(): void {
    if (++this.#steps > templateLimits.steps) {
      throw new ExpansionFault(`the template takes more than ${templateLimits.steps} steps`)
    }
  }

  /** Throws if a string of this length is too long. The length counts UTF-16 units. */
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
