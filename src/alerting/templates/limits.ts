import { runWithBudget } from '../../base/index.ts'
import { ExpansionBudget, ExpansionFault } from '../../functions/go-template/index.ts'

/** Limits of one expansion, besides those of the template language. */
export const expansionLimits = {
  /** Maximum number of queries in one expansion. */
  queries: 10,
  /**
   * Maximum number of checkpoints in one expansion. Functions on regular expressions and long strings pass one each
   * millisecond, so an expansion blocks the thread for at most about 0.1 s.
   */
  checkpoints: 100,
} as const

/** Limits for the sum of all expansions of an evaluation, which may have a thousand label sets. */
const evaluationLimits = {
  /** Maximum number of steps: a thousand for each of a thousand label sets. */
  steps: 1_000_000,
  /** Maximum number of checkpoints: those of ten expansions at their limit. */
  checkpoints: 1000,
  /**
   * Maximum length of all output, UTF-16 units: 4,096 for each of a thousand label sets. The output stays in memory and
   * is written to disk.
   */
  outputChars: 4 * 1024 * 1024,
} as const

/** Sums the work of all expansions of one evaluation. Each method throws ExpansionFault if its limit is exceeded. */
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

/** Counts the work of an expansion towards its own limits and those of the evaluation. */
export class EvaluatedExpansion extends ExpansionBudget {
  readonly #evaluation: EvaluationBudget
  #checkpoints = 0

  constructor(evaluation: EvaluationBudget) {
    super()
    this.#evaluation = evaluation
  }

  override step(): void {
    this.#evaluation.step()
    super.step()
  }

  /** Runs an expansion and counts its checkpoints towards `expansionLimits.checkpoints`. */
  run<R>(expand: () => R): R {
    const checkpoint = (): void => {
      this.#evaluation.checkpoint()
      if (++this.#checkpoints > expansionLimits.checkpoints) throw new ExpansionFault('the template takes too long')
    }
    return runWithBudget({ checkpoint }, expand)
  }
}
