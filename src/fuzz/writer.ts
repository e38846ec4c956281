import { formatRfc3339, type Random } from '../base/index.ts'
import { fuzzBaseNs } from './dataset.ts'
import { logsSchema, type DrawnSchema, type LogField, type Need } from './schema.ts'

/** What a generated query uses, counted for the histogram: `filter/word`, `pipe/sort`, `stats/count`. */
export class Writer {
  readonly random: Random
  readonly uses = new Set<string>()
  /** Names that rows have at this point of the pipeline. */
  fields: readonly string[]
  /** Those of them that the pipe before has made, such as names with the prefix of a join: they are read often. */
  made: readonly string[] = []
  /** The middle of the data: times that are written lie around it. */
  readonly baseNs: bigint
  /** Whether samples may be drawn: not of rows whose times were moved, as those are not records. */
  canSample = true
  /** What a user has defined. */
  own: OwnForms = noForms
  /** What rows of tables have. */
  schema: DrawnSchema = logsSchema
  /** How many queries stand around this part. */
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

  /** A query inside of this one, with what its rows have; short, as rows of joins multiply. */
  subquery(): { readonly text: string; readonly fields: readonly string[] } {
    const inner = new Writer(this.random, this.schema.fields, this.#pipeline, this.baseNs, this.level + 1)
    inner.canSample = this.canSample
    inner.own = this.own
    inner.schema = this.schema
    const text = this.#pipeline(inner)
    for (const use of inner.uses) this.uses.add(use)
    return { text, fields: inner.fields }
  }

  /** A query inside of this one whose rows have one field. */
  oneFieldQuery(): string {
    const { text, fields } = this.subquery()
    return `${text} | fields ${fieldText(fields.length === 0 ? this.like('level') : this.pick(fields))}`
  }

  /** `by` and a list of keys, in parentheses or without. */
  by(keys: string): string {
    if (/^(?:filter|hits|limit|rank|with)\b/.test(keys) || !this.chance(0.3)) return `by (${keys})`
    this.use('by/bare')
    return `by ${keys}`
  }

  /** An instant near the middle of the data as RFC 3339, `offsetNs` away, cut to the given number of characters. */
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

  /** `min` to `max` items. */
  list<T>(min: number, max: number, item: () => T): T[] {
    return Array.from({ length: min + this.random.below(max - min + 1) }, item)
  }

  /** The name of a field that rows have. */
  name(): string {
    const made = this.made.filter((name) => this.fields.includes(name))
    return made.length > 0 && this.chance(0.5) ? this.pick(made) : this.pick(this.fields)
  }

  field(): string {
    return fieldText(this.name())
  }

  /** A field whose filters take any value; those of `_time` take times. */
  untimedField(): string {
    return fieldText(this.untimedName())
  }

  /** The same as a name, not as a query writes it. */
  untimedName(): string {
    const name = this.name()
    return name === '_time' ? this.nameLike('level') : name
  }

  /** What stands before a filter: a field and a colon, or nothing, which searches the text field, or all fields of tables without one. */
  onField(): string {
    return this.chance(0.5) ? '' : `${this.untimedField()}:`
  }

  /** Whether rows and tables have what a form needs. */
  has(need: Need): boolean {
    return this.schema.has.has(need)
  }

  /** The forms whose needs are met. */
  drawable<G extends { readonly needs?: Need | undefined }>(forms: readonly G[]): readonly G[] {
    return this.has('logs') && this.has('tables')
      ? forms
      : forms.filter(({ needs }) => needs === undefined || this.has(needs))
  }

  /** A field of the logs, or one of other rows that is like it: of numbers as `status`, of few values as `level`, of texts as `content`. */
  like(field: LogField): string {
    return fieldText(this.nameLike(field))
  }

  /** The same as a name, not as a query writes it. */
  nameLike(field: LogField): string {
    if (this.has('logs')) return field
    const untimed = this.fields.filter((name) => name !== '_time')
    const alike = new Set(this.schema.like(field))
    const names = untimed.filter((name) => alike.has(name))
    return this.pick(names.length > 0 ? names : untimed.length > 0 ? untimed : this.fields)
  }

  /** A template in which `{level}` stands for a field like `level`. */
  filled(template: string, text: (name: string) => string = fieldText): string {
    return template.replaceAll(/\{([^}]+)\}/g, (_, field: LogField) => text(this.nameLike(field)))
  }

  /** A pattern of names: one of those that find some of the logs, or the beginning of a name. */
  namePattern(ofLogs: readonly string[]): string {
    if (this.has('logs')) return this.pick(ofLogs)
    const [start = ''] = /^[a-z]\w?/i.exec(this.name()) ?? []
    return `${start}*`
  }

  /** A word that texts have. */
  word(): string {
    return this.schema.word(this.random)
  }

  /** A value to which the field of this name is compared, or any field. */
  value(field?: string): string {
    return this.schema.value(this.random, field)
  }

  /** A number to which the field of this name is compared, or any field. */
  number(field?: string): string {
    return this.schema.number(this.random, field)
  }
}

/** Writes the filter and pipes of a query inside another. */
export type PipelineWriter = (writer: Writer) => string

/** Names that stored rows have. */
export const storedFields = logsSchema.fields

/** A field name as a query writes it. */
export function fieldText(name: string): string {
  return /^[A-Za-z_][\w.]*$/.test(name) ? name : JSON.stringify(name)
}

/** A value as a query writes it: bare when it is one plain word, else quoted. */
export function valueText(value: string): string {
  return /^[A-Za-z][A-Za-z0-9_]*$/.test(value) && !RESERVED.has(value.toLowerCase()) ? value : JSON.stringify(value)
}

const RESERVED = new Set(['and', 'or', 'not', 'in', 'by', 'as', 'if', 'from', 'inf', 'nan'])

/** Writes one filter of one form. */
export interface FilterGenerator {
  readonly name: string
  /** Without it the form is not drawn. */
  readonly needs?: Need | undefined
  readonly weight: number
  readonly write: (writer: Writer, depth: number) => string
}

/** Writes one pipe (what follows `|`) and says what fields rows have afterwards. */
export interface PipeGenerator {
  readonly name: string
  /** Without it the pipe is not drawn. */
  readonly needs?: Need | undefined
  readonly weight: number
  readonly write: (writer: Writer) => string
}

/** Writes one call of a stats function. */
export interface StatsGenerator {
  readonly name: string
  readonly write: (writer: Writer) => string
}

/** Generators of what a user has defined beside the standard language. */
export interface OwnForms {
  readonly pipes: readonly PipeGenerator[]
  readonly stats: readonly StatsGenerator[]
  /** Calls in `math`, with operands that the expression around them supplies. */
  readonly math: readonly { readonly name: string; readonly write: (w: Writer, operand: () => string) => string }[]
}

export const noForms: OwnForms = { pipes: [], stats: [], math: [] }
