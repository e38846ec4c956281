import type { Random } from '../base/index.ts'

/** What a generated query uses, counted for the histogram: `filter/word`, `pipe/sort`, `stats/count`. */
export class Writer {
  readonly random: Random
  readonly uses = new Set<string>()
  /** Names that rows have at this point of the pipeline. */
  fields: readonly string[]

  constructor(random: Random, fields: readonly string[]) {
    this.random = random
    this.fields = fields
  }

  use(feature: string): void {
    this.uses.add(feature)
  }

  pick<T>(items: readonly T[]): T {
    return this.random.pick(items)
  }

  chance(probability: number): boolean {
    return this.random.next() < probability
  }

  /** `min` to `max` items. */
  list<T>(min: number, max: number, item: () => T): T[] {
    return Array.from({ length: min + this.random.below(max - min + 1) }, item)
  }

  field(): string {
    return fieldText(this.pick(this.fields))
  }

  /** A field whose filters take any value; those of `_time` take times. */
  untimedField(): string {
    const fields = this.fields.filter((name) => name !== '_time')
    return fieldText(fields.length === 0 ? 'level' : this.pick(fields))
  }
}

/** A field name as a query writes it. */
export function fieldText(name: string): string {
  return /^[A-Za-z_][\w.]*$/.test(name) ? name : JSON.stringify(name)
}

/** A value as a query writes it: bare when it is one plain word, else quoted. */
export function valueText(value: string): string {
  return /^[A-Za-z][A-Za-z0-9_]*$/.test(value) && !RESERVED.has(value.toLowerCase()) ? value : JSON.stringify(value)
}

const RESERVED = new Set(['and', 'or', 'not', 'in', 'by', 'as', 'if', 'from'])

/** Writes one filter of one form. */
export interface FilterGenerator {
  readonly name: string
  readonly weight: number
  readonly write: (writer: Writer, depth: number) => string
}

/** Writes one pipe (what follows `|`) and says what fields rows have afterwards. */
export interface PipeGenerator {
  readonly name: string
  readonly weight: number
  readonly write: (writer: Writer) => string
}
