import { oncePer } from '../../../base/index.ts'
import { seriesFunctions } from '../../../functions/series/index.ts'
import { seriesInputs, type SeriesPlan } from '../../../plan/series/index.ts'

/** Finds the vectors and scalars that are equal at every step, so that they are computed once. */
export class InvariantNodes {
  readonly #isInvariant = oncePer((node: SeriesPlan): boolean => this.#compute(node))

  /** Leaves and range vectors never count, since they gain nothing. */
  has(node: SeriesPlan): boolean {
    const isLeaf = node.kind === 'series-number' || node.kind === 'series-text'
    const isMatrix = node.kind === 'series-range' || node.kind === 'series-subquery'
    return !isLeaf && !isMatrix && this.#isInvariant(node)
  }

  #compute(node: SeriesPlan): boolean {
    if (node.kind === 'series-select') return node.shift.at !== undefined
    if (node.kind === 'series-subquery') return node.shift.at !== undefined
    const fn = node.kind === 'series-call' ? seriesFunctions.get(node.name) : undefined
    if (fn?.dependsOnTime === true) return false
    const inputs = fn?.takesMatchers === true ? seriesInputs(node).slice(0, 1) : seriesInputs(node)
    return inputs.every((input) => this.#isInvariant(input))
  }
}
