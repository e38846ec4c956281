import { runWithBudget } from '../../base/index.ts'
import { ExpansionBudget, ExpansionFault } from '../../functions/go-template/index.ts'

/** Limits of one expansion besides those of the language. */
export const expansionLimits = {
  /** Queries of one expansion. */
  queries: 10,
  /**
   * Checkpoints of `work` in one expansion. Work on regular expressions and long strings passes one each millisecond,
   * so an expansion blocks the thread for at most about a tenth of a second.
   */
  checkpoints: 100,
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

/** Counts one expansion as a part of an evaluation. */
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

  /** Runs an expansion so that `work` inside it counts toward `expansionLimits.checkpoints`. */
  run<R>(expand: () => R): R {
    const checkpoint = (): void => {
      this.#evaluation.checkpoint()
      if (++this.#checkpoints > expansionLimits.checkpoints) throw new ExpansionFault('the template takes too long')
    }
    return runWithBudget({ checkpoint }, expand)
  }
}
