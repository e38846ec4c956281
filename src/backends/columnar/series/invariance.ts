import { seriesFunctions } from '../../../functions/series/index.ts'
import { seriesInputs, type SeriesPlan } from '../../../plan/series/index.ts'

/** Tells which vectors and scalars are the same at every step, so that they are worked out once. */
export class InvariantNodes {
  readonly #known = new WeakMap<SeriesPlan, boolean>()

  /** Leaves and range vectors are not worth it and never count. */
  has(node: SeriesPlan): boolean {
    const isLeaf = node.kind === 'series-number' || node.kind === 'series-text'
    const isMatrix = node.kind === 'series-range' || node.kind === 'series-subquery'
    return !isLeaf && !isMatrix && this.#isInvariant(node)
  }

  #isInvariant(node: SeriesPlan): boolean {
    let result = this.#known.get(node)
    if (result === undefined) {
      result = this.#compute(node)
      this.#known.set(node, result)
    }
    return result
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
