import { checkArgument, parseRfc3339, type Random } from '../base/index.ts'
import { fieldNames, fuzzBaseNs, levels, numbers, numberTexts, words, workloads } from './dataset.ts'

/** Name of a field of the fuzz logs. Generators use it to request a field; another schema returns a similar field. */
export type LogField = (typeof fieldNames)[number]

/** A property that only some rows or engines have. A form that needs the property is drawn only if they have it. */
export type Need = 'logs' | 'tables' | 'time'

/** Names and values from which queries are drawn. */
export interface DrawnSchema {
  /** The field names of the rows. */
  readonly fields: readonly string[]
  /** The tables that queries may name. */
  readonly tables: readonly string[]
  /**
   * `logs`: the rows are those of `dataSets`, with streams and a text field. `tables`: at least one table can be named.
   * `time`: the rows have `_time`.
   */
  readonly has: ReadonlySet<Need>
  /** The instant around which times are drawn, in nanoseconds since 1970. */
  readonly baseNs: bigint
  /** Returns the fields whose values are like those of a field of the fuzz logs; may be empty. */
  readonly like: (field: LogField) => readonly string[]
  /** Draws a word or phrase that occurs in texts. */
  readonly word: (random: Random) => string
  /** Draws a value to compare a field with, mostly one that occurs in the field. */
  readonly value: (random: Random, field?: string) => string
  /** Draws a number to compare a field with, sometimes with a unit. */
  readonly number: (random: Random, field?: string) => string
}

function logValue(random: Random): string {
  const kind = random.below(4)
  if (kind === 0) return random.pick(levels)
  if (kind === 1) return random.pick(workloads)
  if (kind === 2) return random.pick(numberTexts)
  return random.next() < 0.8 ? random.pick(words) : `${random.pick(words)} ${random.pick(words)}`
}

const usualNumbers = [200, 404, 500, 0, 1, 1.5, 100, 503] as const
const writtenNumbers = ['1KB', '1.5MiB', '2s', '1h30m', '10ms', '0x10', '-1', '1e3', '10.0.0.1', '2026-01-02'] as const

function logNumber(random: Random): string {
  if (random.next() < 0.7) return String(random.pick(usualNumbers))
  return random.next() < 0.5 ? String(random.pick(numbers)) : random.pick(writtenNumbers)
}

const logNeeds: readonly Need[] = ['logs', 'time']

/** The schema of the rows of `dataSets`. */
export const logsSchema: DrawnSchema = {
  fields: ['_time', ...fieldNames],
  tables: ['logs'],
  has: new Set([...logNeeds, 'tables']),
  baseNs: fuzzBaseNs,
  like: (field) => [field],
  word: (random) => random.pick(words),
  value: logValue,
  number: logNumber,
}

/** Values of a field: a list of examples, or `text` or `number` to let the generators invent them. */
export type FieldValues = readonly (string | number | bigint | boolean)[] | 'text' | 'number'

type Kind = 'text' | 'number' | 'choice'

const logKinds: Readonly<Record<LogField, Kind>> = {
  level: 'choice',
  workload: 'choice',
  namespace: 'choice',
  status: 'number',
  duration_ms: 'number',
  content: 'text',
  a: 'text',
  'b.c': 'number',
  'user id': 'choice',
  ä: 'choice',
}

function kindOf(values: FieldValues): Kind {
  if (typeof values === 'string') return values
  if (values.every((value) => typeof value === 'number' || typeof value === 'bigint')) return 'number'
  return values.some((value) => typeof value === 'string' && /\s/.test(value)) ? 'text' : 'choice'
}

function isValues(values: unknown): boolean {
  if (!Array.isArray(values)) return values === 'text' || values === 'number'
  return values.length > 0 && values.every((each) => ['string', 'number', 'bigint', 'boolean'].includes(typeof each))
}

function timeOf(value: unknown): bigint | undefined {
  return typeof value === 'string' ? parseRfc3339(value) : undefined
}

function areTimes(values: unknown): boolean {
  return Array.isArray(values) && isValues(values) && values.every((each) => timeOf(each) !== undefined)
}

/**
 * Throws SluiceError `options/argument` for fields or tables from which nothing can be drawn. `owner` is the public
 * function that the message names.
 */
export function checkSchema(
  { fields, tables = [] }: { readonly fields?: object | undefined; readonly tables?: readonly unknown[] | undefined },
  owner: string,
): void {
  const call = `${owner}({ fields: { status: [200, 404], user: 'text' } })`
  for (const table of tables)
    checkArgument(
      typeof table === 'string' && table !== '',
      table,
      'names of tables',
      `${owner}({ tables: ['orders'] })`,
    )
  if (fields === undefined) return
  for (const [name, values] of Object.entries(fields))
    if (name === '_time') checkArgument(areTimes(values), values, 'times of `_time` as RFC 3339', call)
    else checkArgument(isValues(values), values, `values of \`${name}\`, \`text\` or \`number\``, call)
  const isSome = Object.keys(fields).some((name) => name !== '_time')
  checkArgument(isSome, fields, 'one field at least beside `_time`', call)
}

/** Share of comparisons whose value comes from the same field instead of another one. */
const OWN_SHARE = 0.8

/** Returns a schema of fields that the user of the generators describes. Every table has these fields. */
export function schemaOf(
  fields: Readonly<Record<string, FieldValues>> | undefined,
  tables: readonly string[] = fields === undefined ? logsSchema.tables : [],
): DrawnSchema {
  const tableNeeds: readonly Need[] = tables.length > 0 ? ['tables'] : []
  if (fields === undefined) return { ...logsSchema, tables, has: new Set([...logNeeds, ...tableNeeds]) }
  const kinds = new Map<string, Kind>()
  const listed = new Map<string, readonly string[]>()
  for (const [name, values] of Object.entries(fields)) {
    // Time filters have generators of their own.
    if (name === '_time') continue
    kinds.set(name, kindOf(values))
    if (typeof values !== 'string') listed.set(name, values.map(String))
  }
  const isNumeric = (name: string): boolean => kinds.get(name) === 'number'
  const digits = [...listed].flatMap(([name, values]) => (isNumeric(name) ? values : []))
  const strings = [...listed].flatMap(([name, values]) => (isNumeric(name) ? [] : values))
  const own = (random: Random, values: readonly string[]): string | undefined =>
    values.length > 0 && random.next() < OWN_SHARE ? random.pick(values) : undefined
  const word = (random: Random): string => random.pick(own(random, strings)?.match(/\S+/g) ?? words)
  const number = (random: Random, field = ''): string =>
    own(random, isNumeric(field) ? (listed.get(field) ?? []) : digits) ?? logNumber(random)
  const timeNeeds: readonly Need[] = '_time' in fields ? ['time'] : []
  return {
    fields: Object.keys(fields),
    tables,
    has: new Set([...timeNeeds, ...tableNeeds]),
    baseNs: timeOf(Array.isArray(fields['_time']) ? fields['_time'][0] : undefined) ?? fuzzBaseNs,
    like: (field) => [...kinds.keys()].filter((name) => kinds.get(name) === logKinds[field]),
    word,
    number,
    value: (random, field = '') =>
      own(random, listed.get(field) ?? []) ?? (random.next() < 0.5 ? number(random, field) : word(random)),
  }
}
