import type { JsonValue, Meter } from '../../base/index.ts'
import { collapseNumbersPretty, toText, type Value } from '../../data/index.ts'
import type { Accumulator, MakeAccumulator } from '../definition.ts'
import { TEMPLATE_BYTES, mostFrequent, templateList, type Template } from '../text/templates.ts'

class PatternState implements Accumulator {
  #hits = new Map<string, number>()
  readonly #limit: number
  readonly #meter: Meter

  constructor(limit: number | undefined, meter: Meter) {
    this.#limit = limit ?? Infinity
    this.#meter = meter
  }

  add(values: readonly Value[]): void {
    for (const value of values) {
      const text = toText(value)
      if (text !== '') this.#count(collapseNumbersPretty(text), 1)
    }
  }

  merge(other: PatternState): void {
    for (const [template, hits] of other.#hits) this.#count(template, hits)
  }

  #count(template: string, hits: number): void {
    const known = this.#hits.get(template)
    if (known === undefined) this.#meter.charge(TEMPLATE_BYTES + template.length * 2)
    this.#hits.set(template, (known ?? 0) + hits)
  }

  *#templates(): Generator<Template> {
    for (const [text, hits] of this.#hits) yield { pattern: text, hits }
  }

  finish(): Value {
    return templateList(mostFrequent(this.#templates(), this.#limit), this.#meter)
  }

  export(): JsonValue {
    return [...this.#hits]
  }

  import(state: JsonValue): void {
    this.#hits = new Map()
    for (const [template, hits] of state as [string, number][]) this.#count(template, hits)
  }
}

export const patternAccumulator: MakeAccumulator = ({ limit, meter }) => new PatternState(limit, meter)
