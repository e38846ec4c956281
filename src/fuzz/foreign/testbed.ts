import type { ForeignEngine, ForeignName, ForeignSource, WordIndex } from '../../backends/sql/index.ts'

/** What a column holds, whatever an engine calls its type. */
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

/** A value as it is stored; JSON and maps as their JSON text. */
export type StoredValue = null | string | number | bigint | boolean

/** How an engine keeps one kind of column. */
export interface ColumnType {
  /** Its type where a table is made. */
  readonly declared: string
  /** A value in SQL, NULL aside. */
  readonly literal: (value: Exclude<StoredValue, null>) => string
  /** Of times: what they are cut to. */
  readonly stepNs?: bigint
  /** Of JSON: how the type writes lists and objects, where that is not without blanks. */
  readonly written?: (json: string) => string
  /** Of numbers: whether the type has NaN. */
  readonly hasNaN?: boolean
}

export interface PhysicalColumn {
  readonly name: string
  readonly kind: ColumnKind
  readonly isNullable: boolean
}

export interface PhysicalTable {
  readonly name: string
  /** The column of the text field, when its table shall have an index of words if the engine makes such. */
  readonly wordsOf?: string | undefined
  readonly columns: readonly PhysicalColumn[]
  readonly rows: readonly (readonly StoredValue[])[]
}

/** A table that has been made, and the engine that reads it. */
export interface MadeTable {
  readonly engine: ForeignEngine
  readonly source: ForeignSource
  /** The index of words that was made. */
  readonly words?: WordIndex
}

/** A database that tests fill and ask. */
export interface OpenTestbed {
  /** Replaces a table of the name. */
  create(table: PhysicalTable): Promise<MadeTable>
  close(): Promise<void>
}

export interface Testbed {
  readonly name: ForeignName
  /** Kinds that it lacks are not drawn. */
  readonly types: { readonly [K in ColumnKind]?: ColumnType }
  /** The index of words that half of the tables are said to have, where it makes no difference that they have none. */
  readonly words?: WordIndex
  /** `undefined` where the engine is not there. */
  readonly open: () => Promise<OpenTestbed | undefined>
  /** What to do where it is not there. */
  readonly advice: string
}

export const quoted = (text: string): string => `'${text.replaceAll(`'`, `''`)}'`

const PER_INSERT = 200

/** A table as statements of standard SQL. */
export function statementsOf(
  { name, columns, rows }: PhysicalTable,
  types: Testbed['types'],
  identifier: (name: string) => string,
  /** The type of a column that may be missing, where the type says so. */
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
