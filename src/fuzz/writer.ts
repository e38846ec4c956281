import { formatRfc3339, type Random } from '../base/index.ts'
import { fuzzBaseNs } from './dataset.ts'
import { logsSchema, type DrawnSchema, type LogField, type Need } from './schema.ts'

/**
 * Writes parts of a query and counts the forms that it uses for the histogram: `filter/word`, `pipe/sort`,
 * `stats/count`.
 */
export class Writer {
  readonly random: Random
  readonly uses = new Set<string>()
  /** The field names of the rows at this point of the pipeline. */
  fields: readonly string[]
  /** Fields that the previous pipe has added, such as columns of a join. Later pipes often read them. */
  made: readonly string[] = []
  /** The instant around which times are drawn, ns since 1970. */
  readonly baseNs: bigint
  /** True if samples may be drawn. Rows with shifted times are not stored records and cannot be sampled. */
  canSample = true
  /** Generators for the definitions that a user has added. */
  own: OwnForms = noForms
  /** The fields and values of the tables. */
  schema: DrawnSchema = logsSchema
  /** Nesting depth of the query. */
  readonly level: number
  readonly #pipeline: PipelineWriter

  constructor(
    random: Random,
    fields: readonly string[],
    pipeline: PipelineWriter = () => '*',
    baseNs = fuzzBaseNs,
    level = 0,
  ) {
    this.random = random
    this.fields = fields
    this.baseNs = baseNs
    this.level = level
    this.#pipeline = pipeline
  }

  /** Returns the text of a short subquery and its output fields. Short, because joins multiply rows. */
  subquery(): { readonly text: string; readonly fields: readonly string[] } {
    const inner = new Writer(this.random, this.schema.fields, this.#pipeline, this.baseNs, this.level + 1)
    inner.canSample = this.canSample
    inner.own = this.own
    inner.schema = this.schema
    const text = this.#pipeline(inner)
    for (const use of inner.uses) this.uses.add(use)
    return { text, fields: inner.fields }
  }

  /** Writes a subquery whose rows have one field. */
  oneFieldQuery(): string {
    const { text, fields } = this.subquery()
    return `${text} | fields ${fieldText(fields.length === 0 ? this.like('level') : this.pick(fields))}`
  }

  /** Writes `by` and a list of keys, with or without parentheses. */
  by(keys: string): string {
    if (/^(?:filter|hits|limit|rank|with)\b/.test(keys) || !this.chance(0.3)) return `by (${keys})`
    this.use('by/bare')
    return `by ${keys}`
  }

  /** Writes an instant at `offsetNs` from the middle of the data as RFC 3339, truncated to a number of characters. */
  time(offsetNs: bigint, characters = 30): string {
    const text = formatRfc3339(this.baseNs + offsetNs)
    return characters >= text.length ? text : text.slice(0, characters)
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

  /** Returns `min` to `max` items. */
  list<T>(min: number, max: number, item: () => T): T[] {
    return Array.from({ length: min + this.random.below(max - min + 1) }, item)
  }

  /** Draws the name of a field of the rows, as a query writes it. */
  name(): string {
    const made = this.made.filter((name) => this.fields.includes(name))
    return made.length > 0 && this.chance(0.5) ? this.pick(made) : this.pick(this.fields)
  }

  field(): string {
    return fieldText(this.name())
  }

  /** Draws a field whose filters accept any value. `_time` is left out, because its filters accept only times. */
  untimedField(): string {
    return fieldText(this.untimedName())
  }

  /** Like `untimedField`, but returns the plain name instead of its form in a query. */
  untimedName(): string {
    const name = this.name()
    return name === '_time' ? this.nameLike('level') : name
  }

  /**
   * Writes the prefix of a filter value: a field and a colon, or nothing. Without a prefix, the text field is searched,
   * or every field if a table has none.
   */
  onField(): string {
    return this.chance(0.5) ? '' : `${this.untimedField()}:`
  }

  /** True if the rows and tables have a property that a form needs. */
  has(need: Need): boolean {
    return this.schema.has.has(need)
  }

  /** Returns the forms whose needed property is present. */
  drawable<G extends { readonly needs?: Need | undefined }>(forms: readonly G[]): readonly G[] {
    return this.has('logs') && this.has('tables')
      ? forms
      : forms.filter(({ needs }) => needs === undefined || this.has(needs))
  }

  /**
   * Draws a field of the logs; for other schemas, a field that resembles it: numbers as in `status`, few values as in
   * `level`, text as in `content`.
   */
  like(field: LogField): string {
    return fieldText(this.nameLike(field))
  }

  /** Like `like`, but returns the plain name instead of its form in a query. */
  nameLike(field: LogField): string {
    if (this.has('logs')) return field
    const untimed = this.fields.filter((name) => name !== '_time')
    const alike = new Set(this.schema.like(field))
    const names = untimed.filter((name) => alike.has(name))
    return this.pick(names.length > 0 ? names : untimed.length > 0 ? untimed : this.fields)
  }

  /** Fills a template, in which `{level}` stands for a field like `level`. */
  filled(template: string, text: (name: string) => string = fieldText): string {
    return template.replaceAll(/\{([^}]+)\}/g, (_, field: LogField) => text(this.nameLike(field)))
  }

  /**
   * Writes a name pattern: one of `ofLogs`, each of which matches some fields of the logs, or the beginning of a name.
   */
  namePattern(ofLogs: readonly string[]): string {
    if (this.has('logs')) return this.pick(ofLogs)
    const [start = ''] = /^[a-z]\w?/i.exec(this.name()) ?? []
    return `${start}*`
  }

  /** Draws a word that occurs in texts. */
  word(): string {
    return this.schema.word(this.random)
  }

  /** Draws a value to compare a field with: the named field, or any field if no name is given. */
  value(field?: string): string {
    return this.schema.value(this.random, field)
  }

  /** Draws a number to compare a field with: the named field, or any number field if no name is given. */
  number(field?: string): string {
    return this.schema.number(this.random, field)
  }
}

/** Writes the filter and pipes of a subquery. */
export type PipelineWriter = (writer: Writer) => string

/** The field names of stored rows. */
export const storedFields = logsSchema.fields

/** Writes a field name as query text. */
export function fieldText(name: string): string {
  return /^[A-Za-z_][\w.]*$/.test(name) ? name : JSON.stringify(name)
}

/** Writes a value as query text: bare when it is one plain word, else quoted. */
export function valueText(value: string): string {
  return /^[A-Za-z][A-Za-z0-9_]*$/.test(value) && !RESERVED.has(value.toLowerCase()) ? value : JSON.stringify(value)
}

const RESERVED = new Set(['and', 'or', 'not', 'in', 'by', 'as', 'if', 'from', 'inf', 'nan'])

/** Generator of one filter form. */
export interface FilterGenerator {
  readonly name: string
  /** Property that the rows or engine must have for this form. */
  readonly needs?: Need | undefined
  readonly weight: number
  readonly write: (writer: Writer, depth: number) => string
}

/** Generator of one pipe. It writes the text after `|` and reports the fields of the resulting rows. */
export interface PipeGenerator {
  readonly name: string
  /** Property that the rows or engine must have for this pipe. */
  readonly needs?: Need | undefined
  readonly weight: number
  readonly write: (writer: Writer) => string
}

/** A generator of calls of one stats function. */
export interface StatsGenerator {
  readonly name: string
  readonly write: (writer: Writer) => string
}

/** Generators for definitions that a user has added to the language. */
export interface OwnForms {
  readonly pipes: readonly PipeGenerator[]
  readonly stats: readonly StatsGenerator[]
  /** Calls inside `math`; the surrounding expression supplies the operands. */
  readonly math: readonly { readonly name: string; readonly write: (w: Writer, operand: () => string) => string }[]
}

export const noForms: OwnForms = { pipes: [], stats: [], math: [] }
