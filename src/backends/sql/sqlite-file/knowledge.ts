import { rankOf } from '../../../data/index.ts'
import { fillTemplate, template } from '../dialect.ts'
import { sqliteFile } from '../dialects/sqlite-file.ts'
import { anything, present, type Facts } from '../cell.ts'
import type { Proof } from '../drivers/driver.ts'
import { UNIT_NS, type TableMapping } from '../foreign/mapping.ts'
import { textAfter } from '../conditions/tests-on-text.ts'
import { MAX_LISTED_VALUES } from '../tuning.ts'

/**
 * Facts that hold for all values of a column in a user's table. All values except NULL are of one kind: strings, whole
 * numbers or floats.
 */
export interface ColumnKnowledge {
  readonly kind: 'text' | 'integer' | 'float'
  readonly facts: Facts
  /**
   * True if all whole numbers lie within 2^53 of zero. In the time column: if all times lie within 2^62 ns of the epoch
   * (1970).
   */
  readonly isNear: boolean
}

export interface FileKnowledge {
  /** True if the full-text table tokenizes every stored string of its column as Sluice does. */
  readonly hasNoOdd: boolean
  readonly columns: ReadonlyMap<string, ColumnKnowledge>
  readonly proof: Proof
}

/** Facts about values that the definition of a table guarantees, so that statements need not prove them. */
export type TableKnowledge = Omit<FileKnowledge, 'proof'>

/** Runs a statement and returns its rows, every value as a string. */
export type ReadTexts = (sql: string, values: readonly string[], columns: number) => Promise<readonly Texts[]>
type Texts = readonly (string | null)[]

/**
 * Prefixes of strings without a leading digit that may sort as numbers or times: a sign, a point, or `inf` in any case.
 */
const RANKED_FROM = ['+', '-', '.', 'inf', 'inF', 'iNf', 'iNF', 'Inf', 'InF', 'INf', 'INF'] as const

interface ColumnProbe {
  readonly column: string
  readonly type: string
  readonly isNotNull: boolean
  /**
   * True if the column is the first column of an index over all rows, so that its minimum, its maximum and single
   * values are found without a scan.
   */
  readonly isIndexed: boolean
  readonly isRowId: boolean
  /** Largest absolute value of whole numbers that count as near (`isNear`). */
  readonly nearest: bigint
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

const { identifier } = sqliteFile

/**
 * Kind of values by declared type, if SQLite enforces types: in STRICT tables and for row ids. In other tables, an
 * INTEGER column may store 2.5.
 */
const KEPT_TYPES: Readonly<Record<string, ColumnKnowledge['kind']>> = {
  TEXT: 'text',
  INTEGER: 'integer',
  INT: 'integer',
  REAL: 'float',
}

/**
 * Returns the facts about values that the declared types of a table guarantee; `undefined` if the table does not
 * enforce types.
 */
export function knowledgeOfTypes({ time, fields, keepsTypes }: TableMapping): TableKnowledge | undefined {
  if (keepsTypes !== true) return undefined
  const columns = new Map<string, ColumnKnowledge>()
  for (const { column, nativeType, isNullable, path } of [{ ...time, path: [] }, ...fields]) {
    const kind = KEPT_TYPES[nativeType]
    if (kind === undefined || path.length > 0) continue
    const facts: Facts = kind === 'text' ? anything : { ...present, number: kind }
    columns.set(column, { kind, facts: { ...facts, hasMissing: isNullable }, isNear: column === time.column })
  }
  return { columns, hasNoOdd: false }
}

class Learner {
  readonly #read: ReadTexts
  readonly #table: string
  readonly #proof: string[] = []
  readonly #expected: string[] = []

  constructor(read: ReadTexts, table: string) {
    this.#read = read
    this.#table = table
  }

  /**
   * Evaluates an expression to a string and adds both to the proof. The learned facts hold as long as the expression
   * returns this string.
   */
  async fact(sql: string): Promise<string> {
    const rows = await this.#read(`SELECT coalesce(${sql}, '')`, [], 1)
    const text = rows[0]?.[0] ?? ''
    this.#proof.push(`coalesce(${sql}, '')`)
    this.#expected.push(text)
    return text
  }

  get proof(): Proof {
    return { sql: `SELECT ${this.#proof.join(' || char(10) || ')}`, expected: this.#expected.join('\n') }
  }

  async exists(condition: string): Promise<boolean> {
    return (await this.fact(`EXISTS (SELECT 1 FROM ${identifier(this.#table)} WHERE ${condition})`)) === '1'
  }

  #end(name: 'min' | 'max', column: string): string {
    return `(SELECT ${name}(${column}) FROM ${identifier(this.#table)})`
  }

  /**
   * Returns the types of the first and the last value of an index. An index sorts by type first, so these two show
   * which types can occur. Empty if the index is empty.
   */
  async #ends(column: string): Promise<readonly string[]> {
    const types = await this.fact(`typeof(${this.#end('min', column)}) || ' ' || typeof(${this.#end('max', column)})`)
    return types.split(' ').filter((type) => type !== 'null')
  }

  async #isNear(column: string, nearest: bigint): Promise<boolean> {
    const [min, max] = [this.#end('min', column), this.#end('max', column)]
    return (await this.fact(`coalesce(${min} >= ${-nearest} AND ${max} <= ${nearest}, 1)`)) === '1'
  }

  /** Returns all values of an indexed column, by one index lookup for each. `undefined` if there are too many. */
  async #values(column: string): Promise<readonly string[] | undefined> {
    const from = identifier(this.#table)
    const next = `(SELECT min(${column}) FROM ${from} WHERE ${column} > x)`
    const steps = `SELECT min(${column}) AS x FROM ${from} UNION ALL SELECT ${next} FROM v WHERE x IS NOT NULL LIMIT ${MAX_LISTED_VALUES + 2}`
    const text = `(WITH RECURSIVE v AS (${steps}) SELECT CASE WHEN count(x) <= ${MAX_LISTED_VALUES} THEN json_group_array(x) FILTER (WHERE x IS NOT NULL) END FROM v)`
    const json = await this.fact(text)
    if (json === '') return undefined
    const values = JSON.parse(json) as readonly string[]
    // Bytes that are not UTF-8 are read as U+FFFD, but a comparison with the resulting string would not find them.
    return json.includes('\ufffd') ? undefined : values
  }

  async #textFacts({ isNotNull, isIndexed, column }: ColumnProbe): Promise<Facts> {
    const name = identifier(column)
    const loose: Facts = { ...anything, hasMissing: !isNotNull }
    if (!isIndexed) return loose
    const values = await this.#values(name)
    if (values !== undefined) {
      const ranked = values.filter((value) => rankOf(value).rank < 2)
      return { ...loose, hasEmpty: values.includes(''), ranked, values }
    }
    const begins = (first: string, after = textAfter(first) ?? ''): string =>
      `${name} >= ${quoted(first)} AND ${name} < ${quoted(after)}`
    let isRanked = await this.exists(begins('0', ':'))
    for (const first of RANKED_FROM) isRanked ||= await this.exists(begins(first))
    const hasEmpty = await this.exists(`${name} = ''`)
    return { ...loose, hasEmpty, ranked: isRanked ? 'many' : [] }
  }

  async column(probe: ColumnProbe): Promise<ColumnKnowledge | undefined> {
    const { column, type, isNotNull, isIndexed, isRowId, nearest } = probe
    const isEnded = isIndexed || isRowId
    const types = isEnded ? await this.#ends(identifier(column)) : []
    // If both ends of an index are strings, all values between them are strings too.
    const isText = types.length > 0 && types.every((each) => each === 'text')
    const kind = isText ? 'text' : isRowId ? 'integer' : KEPT_TYPES[type]
    if (kind === undefined) return undefined
    if (kind === 'text') return { kind, facts: await this.#textFacts(probe), isNear: false }
    const isNear = kind === 'integer' && isEnded && (await this.#isNear(identifier(column), nearest))
    return { kind, facts: { ...present, hasMissing: !isNotNull && !isRowId, number: kind }, isNear }
  }
}

const FROM_SCHEMA = `SELECT s.sql, t.strict, t.wr FROM sqlite_schema AS s JOIN pragma_table_list AS t ON t.name = s.name AND t.schema = 'main'
  WHERE s.name = ?1 AND s.type = 'table' AND t.type = 'table'`

const COLUMNS = `SELECT c.name, upper(c.type), c."notnull", c.pk, EXISTS (
    SELECT 1 FROM pragma_index_list(?1) AS l, pragma_index_xinfo(l.name) AS x
    WHERE NOT l.partial AND x.seqno = 0 AND x.name = c.name AND x.coll = 'BINARY' AND NOT x."desc"
  ) FROM pragma_table_xinfo(?1) AS c WHERE c.hidden = 0`

function oddText({ textField, fields }: TableMapping): string {
  const column = fields.find(({ name, path }) => name === textField && path.length === 0)?.column ?? ''
  return fillTemplate(sqliteFile.functions['cuts-otherwise'] ?? template(''), [identifier(column)])
}

/**
 * True if the table has a partial index of the strings that the full-text table tokenizes differently. SQLite then
 * finds without a scan whether there are such strings.
 */
async function canSearchForOdd(mapping: TableMapping, table: string, read: ReadTexts): Promise<boolean> {
  if (mapping.words?.kind !== 'fts5' || mapping.textField === undefined) return false
  const partial = await read('SELECT name FROM pragma_index_list(?1) WHERE partial', [table], 1)
  if (partial.length === 0) return false
  const plan = await read(`EXPLAIN QUERY PLAN SELECT 1 FROM ${identifier(table)} WHERE ${oddText(mapping)}`, [], 4)
  return plan.some((row) => partial.some(([name]) => row[3]?.endsWith(`INDEX ${name}`) === true))
}

/**
 * Learns facts about the columns of a table from its schema and indexes, without a scan: types that SQLite enforces,
 * and the first and last values of an index. `undefined` if nothing is certain, for example for views and columns with
 * collations.
 */
export async function learn(mapping: TableMapping, read: ReadTexts): Promise<FileKnowledge | undefined> {
  const table = mapping.source.kind === 'table' ? (mapping.source.path.at(-1) ?? '') : ''
  const [schema] = await read(FROM_SCHEMA, [table], 3)
  if (schema === undefined || /\bcollate\b/i.test(schema[0] ?? '')) return undefined
  const isStrict = schema[1] === '1'
  const hasRowId = schema[2] !== '1'
  const learner = new Learner(read, table)
  await learner.fact('(SELECT schema_version FROM pragma_schema_version)')
  const rows = await read(COLUMNS, [table], 5)
  const keys = rows.filter(([, , , pk]) => pk !== '0')
  const wanted = new Set([
    mapping.time.column,
    ...mapping.tieBreak,
    ...mapping.fields
      .filter(({ path, unit, type }) => path.length === 0 && unit === undefined && type !== 'bool')
      .map(({ column }) => column),
  ])
  const columns = new Map<string, ColumnKnowledge>()
  for (const [name, type, notNull, pk, isIndexed] of rows) {
    if (name === null || name === undefined || !wanted.has(name)) continue
    const isRowId = hasRowId && type === 'INTEGER' && pk !== '0' && keys.length === 1
    const known = await learner.column({
      column: name,
      type: isStrict ? (type ?? '') : '',
      isNotNull: notNull === '1',
      isIndexed: isIndexed === '1',
      isRowId,
      nearest: name === mapping.time.column ? 2n ** 62n / (UNIT_NS[mapping.time.unit] ?? 1n) : 2n ** 53n,
    })
    if (known !== undefined) columns.set(name, known)
  }
  const hasNoOdd = (await canSearchForOdd(mapping, table, read)) && !(await learner.exists(oddText(mapping)))
  return columns.size === 0 && !hasNoOdd ? undefined : { columns, hasNoOdd, proof: learner.proof }
}
