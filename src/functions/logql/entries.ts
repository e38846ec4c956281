import { SluiceError, nowhere } from '../../base/index.ts'
import {
  Instant,
  isEmptyValue,
  parseStreamName,
  toText,
  utf8Length,
  type LabelPair,
  type Row,
  type Value,
} from '../../data/index.ts'
import type { CompileRow } from '../definition.ts'
import { functionDiagnostic } from '../diagnostics.ts'
import { ERROR_LABEL, LogEntry, labelName, type LabelCategory } from './entry.ts'
import { compileCondition, type EntryTest } from './label-filter.ts'
import type { LogqlStage, UnwrapStage } from './stage.ts'
import { compileStages } from './stages.ts'
import { readUnwrapped } from './units.ts'

/** Columns of log entries, such as that of the line. Their names are not valid as labels in answers. */
export const ENTRY_LINE = '__line__'
/** Column with the name of the stream that stores the entry. Stages that change labels do not change this name. */
export const ENTRY_STREAM = '__stored_in__'
export const ENTRY_LABELS = '__labels__'
export const ENTRY_VALUE = '__value__'

/**
 * Returns the column of a label by which series are grouped. The column name contains a dot, which label names cannot,
 * so it never equals one.
 */
export function labelColumn(label: string): string {
  return `.${label}`
}

/** Columns with the labels of an entry as JSON objects, by category. */
export const ENTRY_CATEGORIES: Readonly<Record<LabelCategory, string>> = {
  stream: '__stream__',
  metadata: '__metadata__',
  parsed: '__parsed__',
}

/** Results of the stages for one entry. */
export type EntryResult =
  /** The line and its labels by category. */
  | { readonly kind: 'entry' }
  /**
   * A number, and the labels of its series: a column for each label of `by`, or one JSON string with all labels except
   * those of `without`.
   */
  | {
      readonly kind: 'number'
      readonly of: 'one' | 'bytes' | UnwrapStage
      readonly labels: { readonly by: readonly string[] } | { readonly without: readonly string[] }
    }

/** A label that every entry has. Its value is that of the first field in `fields` that the entry has. */
export interface DiscoveredLabel {
  readonly label: string
  readonly fields: readonly string[]
  /** Value of the label if an entry has none of the fields. */
  readonly otherwise: string
  readonly category: 'stream' | 'metadata'
}

export interface LogqlParams {
  readonly time: string
  readonly text: string
  readonly discovered: readonly DiscoveredLabel[]
  /** Labels that are stored under other field names; the keys are the field names. */
  readonly renamed: Readonly<Record<string, string>>
  /** Names of fields whose values are copies of labels with other names. */
  readonly derived: readonly string[]
  readonly stages: readonly LogqlStage[]
  readonly result: EntryResult
}

/** Name of the error of an entry whose label is not a number. */
const UNWRAP_ERROR = 'SampleExtractionErr'

/**
 * Returns a function that reads the number of an entry; the function returns `undefined` for entries that must be
 * skipped, because they have none.
 */
function compileUnwrap({ label, conversion, filters }: UnwrapStage): (entry: LogEntry) => number | undefined {
  const tests = filters.map(({ condition }) => compileCondition(condition))
  return (entry) => {
    const text = entry.get(label)
    if (text === undefined) return undefined
    let value = readUnwrapped(text, conversion)
    if (typeof value !== 'number') {
      entry.fail(UNWRAP_ERROR, value.reason)
      value = 0
    }
    // `unwrap` removes the label, so later conditions must not see it.
    entry.delete(label)
    return tests.every((test) => test(entry)) ? value : undefined
  }
}

function jsonOf(pairs: readonly (readonly [string, string])[]): string {
  const sorted = [...pairs].sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`
}

interface Fields extends Pick<LogqlParams, 'time' | 'text' | 'discovered'> {
  readonly renamed: ReadonlyMap<string, string>
  readonly derived: ReadonlySet<string>
}

const STREAM = '_stream'
const STREAM_NAMES: ReadonlySet<string> = new Set([STREAM, '_stream_id'])

/**
 * Maximum number of cached results. Few streams have many rows each, so most lookups hit. The cache uses at most about
 * 16 MiB.
 */
const KEPT_TEXTS = 2000
/** Maximum length of a cached string, UTF-16 units. */
const KEPT_CHARS = 2048

/** A cache from strings to computed results. It is cleared when it is full. */
class Remembered<T> {
  readonly #known = new Map<string, T>()

  of(text: string, compute: () => T): T {
    if (text.length > KEPT_CHARS) return compute()
    let result = this.#known.get(text)
    if (result !== undefined) return result
    if (this.#known.size >= KEPT_TEXTS) this.#known.clear()
    result = compute()
    this.#known.set(text, result)
    return result
  }
}

/** Labels of a stream, without empty ones, and their values in lower case. */
interface StreamLabels {
  readonly labels: readonly LabelPair[]
  readonly values: ReadonlySet<string>
}

function labelsOfStream(name: string): StreamLabels {
  const labels = (parseStreamName(name) ?? []).flatMap(([label, value]) =>
    value === '' ? [] : [[labelName(label), value] as const],
  )
  return { labels, values: new Set(labels.map(([, value]) => value.toLowerCase())) }
}

function entryOf(
  row: Row,
  { time, text, discovered, renamed, derived }: Fields,
  streams: Remembered<StreamLabels>,
): LogEntry {
  const at = row.get(time)
  const entry = new LogEntry(toText(row.get(text) ?? null), at instanceof Instant ? at.ns : 0n)
  const stream = toText(row.get(STREAM) ?? null)
  const ofStream = streams.of(stream, () => labelsOfStream(stream))
  for (const [name, value] of ofStream.labels) entry.give(name, value, 'stream')
  for (const { label, fields, otherwise, category } of discovered) {
    const field = fields.find((name) => !isEmptyValue(row.get(name) ?? null))
    entry.give(label, field === undefined ? otherwise : toText(row.get(field) ?? null), category)
  }
  for (const [name, value] of row) {
    if (name === time || name === text || STREAM_NAMES.has(name) || isEmptyValue(value)) continue
    // The value is a copy of a stream label that the sender wrote under another name.
    if (derived.has(name) && ofStream.values.has(toText(value).toLowerCase())) continue
    entry.give(renamed.get(name) ?? labelName(name), toText(value), 'metadata')
  }
  return entry
}

/** Throws for an entry with an error, because such an entry cannot be part of a series. */
function refuseError(entry: LogEntry): never {
  const labels = [...entry.labels()].map(([name, value]) => `${name}=${JSON.stringify(value)}`).sort()
  const found = { error: entry.error ?? '', series: `{${labels.join(', ')}}` }
  throw new SluiceError([functionDiagnostic('logql-entry', found, nowhere)])
}

type Finish = (entry: LogEntry, time: Value, stream: Value) => Row | readonly Row[]

function finishEntry(fields: Fields): Finish {
  return (entry, time, stream) => {
    const parts: Record<LabelCategory, (readonly [string, string])[]> = { stream: [], metadata: [], parsed: [] }
    for (const [name, value, category] of entry.labels()) parts[category].push([name, value])
    const row = new Map<string, Value>([
      [fields.time, time],
      [ENTRY_LINE, entry.line],
      [ENTRY_STREAM, stream],
    ])
    for (const category of ['stream', 'metadata', 'parsed'] as const)
      row.set(ENTRY_CATEGORIES[category], jsonOf(parts[category]))
    return row
  }
}

function finishNumber(fields: Fields, { of, labels }: EntryResult & { readonly kind: 'number' }): Finish {
  const unwrap = typeof of === 'string' ? undefined : compileUnwrap(of)
  const without = 'without' in labels ? new Set(labels.without) : undefined
  const by = 'by' in labels ? labels.by : []
  const texts = new Remembered<string>()
  const isErrorCounted = by.includes(ERROR_LABEL)
  return (entry, time) => {
    const number = unwrap === undefined ? (of === 'bytes' ? utf8Length(entry.line) : 1) : unwrap(entry)
    if (number === undefined) return []
    if (entry.error !== undefined && !isErrorCounted) refuseError(entry)
    const row = new Map<string, Value>([
      [fields.time, time],
      [ENTRY_VALUE, number],
    ])
    if (without === undefined) {
      for (const name of by) {
        const value = entry.get(name)
        if (value !== undefined) row.set(labelColumn(name), value)
      }
      return row
    }
    // Entries of one stream have their labels in the same order, so equal strings mean equal label sets.
    let key = ''
    for (const [name, value] of entry.labels())
      if (!without.has(name)) key += `${name.length}:${name}${value.length}:${value}`
    const labelsText = texts.of(key, () =>
      jsonOf([...entry.labels()].flatMap(([name, value]) => (without.has(name) ? [] : [[name, value] as const]))),
    )
    return row.set(ENTRY_LABELS, labelsText)
  }
}

export const compileLogqlStages: CompileRow<LogqlParams> = (params, { nowNs }) => {
  const { time, text, discovered } = params
  const renamed = new Map(Object.entries(params.renamed))
  const fields = { time, text, discovered, renamed, derived: new Set(params.derived) }
  const streams = new Remembered<StreamLabels>()
  const passes: EntryTest = compileStages(params.stages, nowNs)
  const { result } = params
  const finish = result.kind === 'entry' ? finishEntry(fields) : finishNumber(fields, result)
  return (row) => {
    const entry = entryOf(row, fields, streams)
    return passes(entry) ? finish(entry, row.get(time) ?? null, row.get(STREAM) ?? null) : []
  }
}
