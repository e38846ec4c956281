import { present } from '../../base/index.ts'
import type { Labels } from '../../data/index.ts'
import type { LabelMatcher, LabelPredicate } from '../../plan/series/index.ts'
import { compileMatcher, compilePredicate, type ValueTest } from './match-labels.ts'

interface CompiledMatcher {
  readonly matcher: LabelMatcher
  readonly test: ValueTest
}

/** The posting list of a label value: a single id, or a list of ids. Many values have only one id. */
type Ids = number | number[]

function listOf(ids: Ids | undefined): readonly number[] {
  return ids === undefined ? [] : typeof ids === 'number' ? [ids] : ids
}

/** Finds series by label: has a posting list of series ids for each label name and value. */
export class LabelIndex {
  readonly #postings = new Map<string, Map<string, Ids>>()
  /** The label names of the last added series. Many series share the same array. */
  #names: readonly string[] = []
  #valuesOfNames: readonly Map<string, Ids>[] = []
  /**
   * The label values of the last added series. `#lastLists` has their posting lists, if they have several ids. Most
   * series repeat values of the previous one.
   */
  #lastValues: readonly string[] = []
  #lastLists: (number[] | undefined)[] = []
  /** Label sets by id; `undefined` for removed series. */
  readonly #labels: (Labels | undefined)[] = []

  /** Adds a series under an unused id. */
  add(labels: Labels, id: number): void {
    this.#labels[id] = labels
    if (labels.names !== this.#names) {
      this.#names = labels.names
      this.#valuesOfNames = labels.names.map((name) => this.#valuesOf(name))
      this.#lastLists = []
    }
    const { values } = labels
    const lastValues = this.#lastValues
    const lists = this.#lastLists
    for (let i = 0; i < values.length; i++) {
      const value = values[i] ?? ''
      if (value !== lastValues[i] || lists[i] === undefined) lists[i] = this.#listWith(i, value, id)
      else lists[i]?.push(id)
    }
    this.#lastValues = values
  }

  /** Adds an id to the posting list of a value. Returns the list; `undefined` if it has a single id. */
  #listWith(nameIndex: number, value: string, id: number): number[] | undefined {
    const values = this.#valuesOfNames[nameIndex]
    const ids = values?.get(value)
    if (typeof ids === 'object') {
      ids.push(id)
      return ids
    }
    const list = ids === undefined ? undefined : [ids, id]
    values?.set(value, list ?? id)
    return list
  }

  #valuesOf(name: string): Map<string, Ids> {
    const known = this.#postings.get(name)
    if (known !== undefined) return known
    const values = new Map<string, Ids>()
    this.#postings.set(name, values)
    return values
  }

  remove(ids: ReadonlySet<number>): void {
    this.#names = []
    this.#valuesOfNames = []
    this.#lastLists = []
    const touched = new Map<string, Set<string>>()
    for (const id of ids) {
      for (const [name, value] of this.#labels[id]?.toPairs() ?? []) {
        const values = touched.get(name) ?? new Set()
        touched.set(name, values.add(value))
      }
      this.#labels[id] = undefined
    }
    for (const [name, values] of touched) {
      const postings = this.#postings.get(name)
      for (const value of values) {
        const left = listOf(postings?.get(value)).filter((id) => !ids.has(id))
        if (left.length > 0) postings?.set(value, left)
        else postings?.delete(value)
      }
      if (postings?.size === 0) this.#postings.delete(name)
    }
  }

  labelsOf(id: number): Labels {
    return present(this.#labels[id])
  }

  /** Returns the ids of the series that pass the guard and all matchers, in no particular order. */
  find(matchers: readonly LabelMatcher[], guard: LabelPredicate | undefined): readonly number[] {
    const isVisible = guard === undefined ? undefined : compilePredicate(guard)
    const compiled = matchers.map((matcher) => ({ matcher, test: compileMatcher(matcher) }))
    const start = this.#narrowest(compiled)
    const rest = compiled.filter((entry) => entry !== start.used)
    const found: number[] = []
    for (const id of start.ids) {
      const labels = this.#labels[id]
      if (labels === undefined) continue
      if (isVisible !== undefined && !isVisible(labels)) continue
      if (rest.every(({ matcher, test }) => test(labels.get(matcher.label)))) found.push(id)
    }
    return found
  }

  /** Returns the shortest list of candidates that one matcher gives, and that matcher. */
  #narrowest(compiled: readonly CompiledMatcher[]): { ids: Iterable<number>; used: CompiledMatcher | undefined } {
    let best: { ids: readonly number[]; used: CompiledMatcher } | undefined
    for (const entry of compiled) {
      if (entry.matcher.op !== '=' || entry.matcher.value === '') continue
      const ids = listOf(this.#postings.get(entry.matcher.label)?.get(entry.matcher.value))
      if (best === undefined || ids.length < best.ids.length) best = { ids, used: entry }
    }
    if (best !== undefined) return best
    for (const entry of compiled) {
      // A matcher that accepts the empty string also accepts series without the label, which the index does not list.
      if (entry.test('')) continue
      const lists: (readonly number[])[] = []
      for (const [value, ids] of this.#postings.get(entry.matcher.label) ?? [])
        if (entry.test(value)) lists.push(listOf(ids))
      return { ids: lists.flat(), used: entry }
    }
    return { ids: this.#labels.keys(), used: undefined }
  }
}
