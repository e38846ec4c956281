import { present } from '../../base/index.ts'
import type { Labels } from '../../data/index.ts'
import type { LabelMatcher, LabelPredicate } from '../../plan/series/index.ts'
import { compileMatcher, compilePredicate, type ValueTest } from './match-labels.ts'

interface CompiledMatcher {
  readonly matcher: LabelMatcher
  readonly test: ValueTest
}

/** Finds series by their labels: for each label and value, the ids of the series that have it, ascending. */
export class LabelIndex {
  readonly #postings = new Map<string, Map<string, number[]>>()
  readonly #labels: Labels[] = []

  /** Ids must be given in order, from 0. */
  add(labels: Labels): number {
    const id = this.#labels.length
    this.#labels.push(labels)
    for (const [name, value] of labels.toPairs()) {
      let values = this.#postings.get(name)
      if (values === undefined) {
        values = new Map()
        this.#postings.set(name, values)
      }
      const ids = values.get(value)
      if (ids === undefined) values.set(value, [id])
      else ids.push(id)
    }
    return id
  }

  labelsOf(id: number): Labels {
    return present(this.#labels[id])
  }

  get size(): number {
    return this.#labels.length
  }

  /** Ids of the series that pass the guard and all matchers, ascending. */
  find(matchers: readonly LabelMatcher[], guard: LabelPredicate | undefined): readonly number[] {
    const isVisible = guard === undefined ? undefined : compilePredicate(guard)
    const compiled = matchers.map((matcher) => ({ matcher, test: compileMatcher(matcher) }))
    const start = this.#narrowest(compiled)
    const rest = compiled.filter((entry) => entry !== start.used)
    const found: number[] = []
    for (const id of start.ids) {
      const labels = present(this.#labels[id])
      if (isVisible !== undefined && !isVisible(labels)) continue
      if (rest.every(({ matcher, test }) => test(labels.get(matcher.label)))) found.push(id)
    }
    return found
  }

  /** The shortest list of candidates that one matcher gives. */
  #narrowest(compiled: readonly CompiledMatcher[]): { ids: Iterable<number>; used: CompiledMatcher | undefined } {
    let best: { ids: readonly number[]; used: CompiledMatcher } | undefined
    for (const entry of compiled) {
      if (entry.matcher.op !== '=' || entry.matcher.value === '') continue
      const ids = this.#postings.get(entry.matcher.label)?.get(entry.matcher.value) ?? []
      if (best === undefined || ids.length < best.ids.length) best = { ids, used: entry }
    }
    if (best !== undefined) return best
    for (const entry of compiled) {
      // Series without the label pass too: the index does not know them.
      if (entry.test('')) continue
      const lists: number[][] = []
      for (const [value, ids] of this.#postings.get(entry.matcher.label) ?? []) if (entry.test(value)) lists.push(ids)
      return { ids: lists.length === 1 ? lists.flat() : lists.flat().sort((a, b) => a - b), used: entry }
    }
    return { ids: this.#labels.keys(), used: undefined }
  }
}
