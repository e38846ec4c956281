import { nowhere } from '../../base/index.ts'
import { unseenTexts, type SourceRead } from '../../analyze/index.ts'
import type { Row, Value } from '../../data/index.ts'
import {
  column,
  fieldPattern,
  MAX_KNOWN_TEXTS,
  not,
  test,
  wholeScan,
  type Catalog,
  type Expr,
  type KnownFields,
  type LogicalPlan,
} from '../../plan/index.ts'

/** Runs a plan before binding and returns its rows. */
export type ReadRows = (plan: LogicalPlan) => Promise<readonly Row[]>

/** Number of newest rows of which the requested fields are read first. */
const PROBE_ROWS = 256
/** Number of newest rows that are read with all fields, to find similar names. */
const SAMPLE_ROWS = 10_000

const origin = nowhere

function newest(table: string, limit: number, fields?: readonly string[]): LogicalPlan {
  const scan: LogicalPlan = { ...wholeScan({ name: table }), ignoresRequestRange: true }
  const rows: LogicalPlan = { kind: 'limit', input: scan, offset: 0, limit, origin }
  return fields === undefined
    ? rows
    : { kind: 'project', input: rows, fields: fields.map((name) => fieldPattern(name)), origin }
}

function meeting(table: string, predicate: Expr): LogicalPlan {
  const { input } = newest(table, 1) as LogicalPlan & { readonly kind: 'limit' }
  return { kind: 'limit', input: { kind: 'filter', input, predicate, origin }, offset: 0, limit: 1, origin }
}

/** Facts about the fields of rows that were read. */
class ReadFields implements KnownFields {
  readonly rows: number
  readonly isWhole: boolean
  readonly #rows: readonly Row[]
  readonly #hidden: ReadonlySet<string>

  constructor(rows: readonly Row[], hidden: ReadonlySet<string>, isWhole = false) {
    this.rows = rows.length
    this.isWhole = isWhole
    this.#rows = rows
    this.#hidden = hidden
  }

  has(field: string): boolean {
    return this.#rows.some((row) => (row.get(field) ?? null) !== null)
  }

  fields(): ReadonlyMap<string, number> {
    const fields = new Map<string, number>()
    for (const row of this.#rows)
      for (const [name, value] of row) if (value !== null) fields.set(name, (fields.get(name) ?? 0) + 1)
    return fields
  }

  texts(field: string): ReadonlyMap<string, number> | undefined {
    if (this.#hidden.has(field)) return undefined
    const texts = new Map<string, number>()
    for (const row of this.#rows) {
      const value: Value = row.get(field) ?? null
      if (typeof value === 'string') texts.set(value, (texts.get(value) ?? 0) + 1)
      if (texts.size > MAX_KNOWN_TEXTS) return undefined
    }
    return texts
  }
}

/**
 * True if the rows answer all requests: every requested field occurs, and every requested value occurs or its field has
 * too many values.
 */
export function answers(known: KnownFields, reads: readonly SourceRead[]): boolean {
  return reads.every((read) => {
    if (!read.isDeclared && !known.has(read.field)) return false
    if (read.test === undefined || unseenTexts(read.test, new Map()).length === 0) return true
    const texts = known.texts(read.field)
    return texts === undefined || (texts.size > 0 && unseenTexts(read.test, texts).length === 0)
  })
}

/** Known facts about fields, extended by names and values that a search of further rows found. */
class Further implements KnownFields {
  readonly rows: number
  readonly isWhole = false
  readonly #known: KnownFields
  readonly #fields = new Set<string>()
  readonly #texts = new Map<string, Set<string>>()

  constructor(known: KnownFields) {
    this.#known = known
    this.rows = known.rows
  }

  addField(field: string): void {
    this.#fields.add(field)
  }

  addText(field: string, text: string): void {
    this.#texts.set(field, (this.#texts.get(field) ?? new Set()).add(text))
  }

  has(field: string): boolean {
    return this.#fields.has(field) || this.#known.has(field)
  }

  fields(): ReadonlyMap<string, number> {
    return this.#known.fields()
  }

  texts(field: string): ReadonlyMap<string, number> | undefined {
    const texts = this.#known.texts(field)
    const further = this.#texts.get(field)
    if (texts === undefined || further === undefined) return texts
    return new Map([...texts, ...Array.from(further, (text) => [text, 1] as const)])
  }
}

/**
 * Collects facts about the fields of a table by reading as few rows as possible, and only rows that the caller may see.
 * `fromTable` are the facts that the table itself knows. Returns `undefined` if there is nothing to report.
 */
export async function readKnownFields(
  table: string,
  reads: readonly SourceRead[],
  catalog: Catalog,
  readRows: ReadRows,
  fromTable?: KnownFields,
): Promise<KnownFields | undefined> {
  const definition = catalog.tables.get(table)
  const hidden = new Set([definition?.timeField, definition?.textField].filter((name) => name !== undefined))
  const names = [...new Set(reads.map(({ field }) => field))]
  let known = fromTable
  if (known === undefined) {
    const probe = await readRows(newest(table, PROBE_ROWS, names))
    if (answers(new ReadFields(probe, hidden), reads)) return undefined
    // Similar names are needed only if a requested name does not occur in any row.
    const rows = await readRows(newest(table, SAMPLE_ROWS + 1))
    known = new ReadFields(rows.slice(0, SAMPLE_ROWS), hidden, rows.length <= SAMPLE_ROWS)
  }
  return known.isWhole || answers(known, reads) ? known : beyond(known, table, reads, readRows)
}

/** Searches all rows for the requested names and values that do not occur in the rows read before. */
async function beyond(
  known: KnownFields,
  table: string,
  reads: readonly SourceRead[],
  readRows: ReadRows,
): Promise<KnownFields> {
  const further = new Further(known)
  const hasRow = async (predicate: Expr): Promise<boolean> => (await readRows(meeting(table, predicate))).length > 0
  for (const { field, isDeclared, test: asked } of reads) {
    const isNew = !isDeclared && !further.has(field)
    if (isNew && (await hasRow(not(test(column(field), { kind: 'empty' }))))) further.addField(field)
    const texts = further.texts(field)
    if (texts === undefined || texts.size === 0 || (asked?.kind !== 'equals' && asked?.kind !== 'in')) continue
    const { isFolded, isTyped } = asked
    for (const value of unseenTexts(asked, texts)) {
      if (known.knowsAll?.(field, value) === true) continue
      if (await hasRow(test(column(field), { kind: 'equals', value, isFolded, isTyped }))) further.addText(field, value)
    }
  }
  return further
}
