import type { ForeignEngine, ForeignName, ForeignSource, WordIndex } from '../../backends/sql/index.ts'

/** Logical type of a column, whatever the database calls it. */
export type ColumnKind =
  | 'text'
  | 'enum'
  | 'double'
  | 'integer'
  | 'bool'
  | 'map'
  | 'json'
  | 'time-type'
  | 'time-s'
  | 'time-ms'
  | 'time-us'
  | 'time-ns'
  | 'time-text'

/** A value as a column stores it; JSON and maps are JSON texts. */
export type StoredValue = null | string | number | bigint | boolean

/** A database's storage of one kind of column. */
export interface ColumnType {
  /** The type in `CREATE TABLE`. */
  readonly declared: string
  /** Writes a value other than NULL in SQL. */
  readonly literal: (value: Exclude<StoredValue, null>) => string
  /** For times: precision to which the column truncates, ns. */
  readonly stepNs?: bigint
  /** For JSON: returns the text that the type prints for a list or object. Without it, the type prints no blanks. */
  readonly written?: (json: string) => string
  /** For numbers: true if the type has NaN. */
  readonly hasNaN?: boolean
}

export interface PhysicalColumn {
  readonly name: string
  readonly kind: ColumnKind
  readonly isNullable: boolean
}

export interface PhysicalTable {
  readonly name: string
  /** The text column for which a word index is made, when the database supports it. */
  readonly wordsOf?: string | undefined
  readonly columns: readonly PhysicalColumn[]
  readonly rows: readonly (readonly StoredValue[])[]
}

/** A created table, and the engine that reads it. */
export interface MadeTable {
  readonly engine: ForeignEngine
  readonly source: ForeignSource
  /** The word index that was made. */
  readonly words?: WordIndex
}

/** A database that tests can fill and query. */
export interface OpenTestbed {
  /** Creates a table and replaces an existing one with this name. */
  create(table: PhysicalTable): Promise<MadeTable>
  close(): Promise<void>
}

export interface Testbed {
  readonly name: ForeignName
  /** The column types of the database; kinds that it lacks are not drawn. */
  readonly types: { readonly [K in ColumnKind]?: ColumnType }
  /**
   * Word index that half of the mappings declare. Only for databases in which an index that is declared but missing has
   * no effect.
   */
  readonly words?: WordIndex
  /** Opens the database; `undefined` where it is not available. */
  readonly open: () => Promise<OpenTestbed | undefined>
  /** Advice to the user when the database is not available. */
  readonly advice: string
}

export const quoted = (text: string): string => `'${text.replaceAll(`'`, `''`)}'`

const PER_INSERT = 200

/** Writes the statements that make a table, in standard SQL. */
export function statementsOf(
  { name, columns, rows }: PhysicalTable,
  types: Testbed['types'],
  identifier: (name: string) => string,
  /** Writes the type of a column that may be NULL, for databases whose types say so. */
  nullable: (declared: string, isNullable: boolean) => string = (declared, isNullable) =>
    isNullable ? declared : `${declared} NOT NULL`,
): readonly string[] {
  const typed = columns.map(({ kind, ...column }) => {
    const type = types[kind]
    if (type === undefined) throw new Error(`there is no column of ${kind}`)
    return { ...column, type }
  })
  const declared = typed.map(
    ({ name: column, type, isNullable }) => `${identifier(column)} ${nullable(type.declared, isNullable)}`,
  )
  const made = [`DROP TABLE IF EXISTS ${identifier(name)}`, `CREATE TABLE ${identifier(name)} (${declared.join(', ')})`]
  for (let from = 0; from < rows.length; from += PER_INSERT) {
    const tuples = rows.slice(from, from + PER_INSERT).map((row) => {
      const values = row.map((value, i) => (value === null ? 'NULL' : typed[i]?.type.literal(value)))
      return `(${values.join(', ')})`
    })
    made.push(`INSERT INTO ${identifier(name)} VALUES ${tuples.join(', ')}`)
  }
  return made
}
