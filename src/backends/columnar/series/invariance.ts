import { oncePer } from '../../../base/index.ts'
import { seriesFunctions } from '../../../functions/series/index.ts'
import { seriesInputs, type SeriesPlan } from '../../../plan/series/index.ts'

/** Finds the nodes whose value is the same at every step, so that the evaluator computes each of them only once. */
export class InvariantNodes {
  readonly #isInvariant = oncePer((node: SeriesPlan): boolean => this.#compute(node))

  /**
   * True if the evaluator should compute the node once: its value is the same at every step, and the node is neither a
   * literal nor a range vector, for which computing once saves nothing.
   */
  has(node: SeriesPlan): boolean {
    const isLeaf = node.kind === 'series-number' || node.kind === 'series-text'
    const isMatrix = node.kind === 'series-range' || node.kind === 'series-subquery'
    return !isLeaf && !isMatrix && this.#isInvariant(node)
  }

  #compute(node: SeriesPlan): boolean {
    if (node.kind === 'series-select') return node.shift.at !== undefined
    if (node.kind === 'series-logs') return false
    if (node.kind === 'series-subquery') return node.shift.at !== undefined
    const fn = node.kind === 'series-call' ? seriesFunctions.get(node.name) : undefined
    if (fn?.dependsOnTime === true) return false
    const inputs = fn?.takesMatchers === true ? seriesInputs(node).slice(0, 1) : seriesInputs(node)
    return inputs.every((input) => this.#isInvariant(input))
  }
}
