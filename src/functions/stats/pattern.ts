import type { JsonValue } from '../../base/index.ts'
import { JsonText, toText, type Value } from '../../data/index.ts'
import type { Accumulator, StatsFunction } from '../definition.ts'
import { TemplateCounts, type Template } from '../text/templates.ts'

class PatternState implements Accumulator {
  #templates = new TemplateCounts()
  readonly #limit: number | undefined

  constructor(limit: number | undefined) {
    this.#limit = limit
  }

  add(values: readonly Value[]): void {
    for (const value of values) this.#templates.add(toText(value))
  }

  merge(other: PatternState): void {
    this.#take(other.#templates.sorted())
  }

  #take(templates: readonly Template[]): void {
    for (const { pattern, hits, sample } of templates) this.#templates.count(pattern, hits, sample)
  }

  finish(): Value {
    const listed = this.#templates.sorted().slice(0, this.#limit)
    return new JsonText(JSON.stringify(listed.map(({ pattern, hits }) => ({ pattern, hits }))))
  }

  bytes(): number {
    return this.#templates.bytes
  }

  export(): JsonValue {
    return this.#templates.sorted().map((template) => ({ ...template }))
  }

  import(state: JsonValue): void {
    this.#templates = new TemplateCounts()
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
  accumulator: ({ limit }) => new PatternState(limit),
  doc: {
    summary: 'The templates of a text and how often each occurs, the most frequent first, as a JSON array.',
    parameters: [
      { name: 'field', text: 'the text' },
      { name: 'limit N', text: 'only the first N templates' },
    ],
    examples: [{ query: 'level:error | stats by (workload) pattern(content) limit 3 as templates' }],
  },
}
