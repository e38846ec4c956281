import { runWithBudget } from '../../base/index.ts'
import { ExpansionFault } from './faults.ts'

export const templateLimits = {
  /** UTF-16 units of the source of a template, as many as its output may have. */
  sourceChars: 64 * 1024,
  /** UTF-16 units of the output, and of each string that a function returns. */
  outputChars: 64 * 1024,
  /** Actions, operands and iterations of loops in one expansion. */
  steps: 10_000,
  /** Queries of one expansion. */
  queries: 10,
  /**
   * Checkpoints of `work` in one expansion. Work on regular expressions and long strings passes one each millisecond,
   * so an expansion blocks the thread for at most about a tenth of a second.
   */
  checkpoints: 100,
  /** Nested blocks, parentheses and template calls; each level takes some ten calls on the stack. */
  depth: 200,
} as const

/** Limits of the sum of all expansions in one evaluation, which may have a thousand label sets. */
const evaluationLimits = {
  /** Enough for a thousand label sets with a thousand steps each, which take some seconds. */
  steps: 1_000_000,
  /** As many as ten of the slowest expansions pass, about a second. */
  checkpoints: 1000,
  /** UTF-16 units, 4 KiB for each of a thousand label sets. The output stays in memory and is written to disk. */
  outputChars: 4 * 1024 * 1024,
} as const

/** Counts the work of all expansions of one evaluation. Each method throws ExpansionFault beyond its limit. */
export class EvaluationBudget {
  #steps = 0
  #checkpoints = 0
  #outputChars = 0

  step(): void {
    if (++this.#steps > evaluationLimits.steps) {
      throw new ExpansionFault(`the templates of one evaluation take more than ${evaluationLimits.steps} steps`)
    }
  }

  checkpoint(): void {
    if (++this.#checkpoints > evaluationLimits.checkpoints) {
      throw new ExpansionFault('the templates of one evaluation take too long')
    }
  }

  addOutput(chars: number): void {
    this.#outputChars += chars
    if (this.#outputChars > evaluationLimits.outputChars) {
      throw new ExpansionFault(`the texts of one evaluation have more than ${evaluationLimits.outputChars} characters`)
    }
  }
}

/** Counts the steps, the output and the nesting of one expansion; each method throws ExpansionFault at its limit. */
export class ExpansionBudget {
  readonly #evaluation: EvaluationBudget
  #steps = 0
  #checkpoints = 0
  #depth = 0

  constructor(evaluation: EvaluationBudget) {
    this.#evaluation = evaluation
  }

  step(): void {
    this.#evaluation.step()
    if (++this.#steps > templateLimits.steps) {
      throw new ExpansionFault(`the template takes more than ${templateLimits.steps} steps`)
    }
  }

  /** Checks the length of a string before or after it is made, in UTF-16 units. */
  checkLength(chars: number): void {
    if (chars > templateLimits.outputChars) {
      throw new ExpansionFault(`a text of the template has more than ${templateLimits.outputChars} characters`)
    }
  }

  /** Runs a nested part: a block, parentheses or another template. */
  nested<R>(inner: () => R): R {
    if (++this.#depth > templateLimits.depth) {
      throw new ExpansionFault(`blocks and templates nest more than ${templateLimits.depth} levels deep`)
    }
    const result = inner()
    this.#depth--
    return result
  }

  /** Runs an expansion so that `work` inside it counts toward `templateLimits.checkpoints`. */
  run<R>(expand: () => R): R {
    const checkpoint = (): void => {
      this.#evaluation.checkpoint()
      if (++this.#checkpoints > templateLimits.checkpoints) throw new ExpansionFault('the template takes too long')
    }
    return runWithBudget({ checkpoint }, expand)
  }
}
