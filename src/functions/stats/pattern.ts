import { type JsonValue, type Meter } from '../../base/index.ts'
import { toText, type Value } from '../../data/index.ts'
import type { Accumulator, MakeAccumulator, StatsFunction } from '../definition.ts'
import { rawArray } from '../json-text.ts'
import { TemplateCounts, type Template } from '../text/templates.ts'

class PatternState implements Accumulator {
  #templates: TemplateCounts
  readonly #limit: number | undefined
  readonly #meter: Meter

  constructor(limit: number | undefined, meter: Meter) {
    this.#limit = limit
    this.#meter = meter
    this.#templates = new TemplateCounts(meter)
  }

  add(values: readonly Value[]): void {
    for (const value of values) this.#templates.add(toText(value))
  }

  merge(other: PatternState): void {
    this.#take(other.#templates.all())
  }

  #take(templates: readonly Template[]): void {
    for (const { pattern, hits, sample } of templates) this.#templates.count(pattern, hits, sample)
  }

  finish(): Value {
    const listed = this.#templates.sorted().slice(0, this.#limit)
    return rawArray(listed, ({ pattern, hits }) => JSON.stringify({ pattern, hits }), this.#meter, 'pattern')
  }

  export(): JsonValue {
    return this.#templates.all().map((template) => ({ ...template }))
  }

  import(state: JsonValue): void {
    this.#templates = new TemplateCounts(this.#meter)
    this.#take(state as unknown as readonly Template[])
  }
}

export const pattern: StatsFunction = {
  name: 'pattern',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: 1 },
  form: { takesLimit: true },
  returns: () => 'json',
  algebra: 'algebraic',
  isOrderSensitive: false,
  doc: {
    summary: 'The templates of a text and how often each occurs, the most frequent first, as a JSON array.',
    parameters: [
      { name: 'field', text: 'the text' },
      { name: 'limit N', text: 'only the first N templates' },
    ],
    examples: [{ query: 'level:error | stats by (workload) pattern(content) limit 3 as templates' }],
  },
}

export const patternAccumulator: MakeAccumulator = ({ limit, meter }) => new PatternState(limit, meter)
