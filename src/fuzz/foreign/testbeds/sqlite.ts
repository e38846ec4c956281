import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fullTextCut, openEngine } from '../../../backends/sql/index.ts'
import { openSqlite } from '../../../store/sqlite/index.ts'
import {
  quoted,
  statementsOf,
  type OpenTestbed,
  type PhysicalTable,
  type StoredValue,
  type Testbed,
} from '../testbed.ts'

const plain = (value: StoredValue): string => String(value)
const text = (value: StoredValue): string => quoted(String(value))

function number(value: StoredValue): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999'
  // A whole number is written in exponential form, because SQLite would otherwise store it as an integer.
  return Number.isInteger(value) ? Number(value).toExponential() : String(value)
}

const types: Testbed['types'] = {
  text: { declared: 'TEXT', literal: text },
  enum: { declared: 'TEXT', literal: text },
  double: { declared: 'REAL', literal: number },
  integer: { declared: 'INTEGER', literal: plain },
  json: { declared: 'JSON', literal: text },
  'time-s': { declared: 'INTEGER', literal: plain },
  'time-ms': { declared: 'INTEGER', literal: plain },
  'time-us': { declared: 'INTEGER', literal: plain },
  'time-ns': { declared: 'INTEGER', literal: plain },
  'time-text': { declared: 'TEXT', literal: text },
}

/** The types of STRICT tables. */
const strictTypes: Testbed['types'] = { ...types, json: { declared: 'TEXT', literal: text } }

/** Tokenizers of full-text tables, as `tokenize` of FTS5 names them. */
const cuts = [
  'unicode61',
  "unicode61 tokenchars '_'",
  'porter',
  'ascii',
  'trigram',
  'unicode61 remove_diacritics 2',
] as const

/**
 * Statements that create and fill the full-text table of a column, optionally with a table of the non-ASCII strings.
 */
function fullText(
  name: string,
  column: string,
  drawn: number,
): { readonly table: string; readonly made: readonly string[] } {
  const table = `${name} words`
  const [inner, outer] = [identifier(column), identifier(table)]
  const cut = cuts[drawn % cuts.length] ?? cuts[0]
  const odd = `CREATE INDEX ${identifier(`${name} odd`)} ON ${identifier(name)} (seq) WHERE length(${inner}) <> octet_length(${inner}) OR typeof(${inner}) NOT IN ('text', 'null')`
  return {
    table,
    made: [
      `CREATE VIRTUAL TABLE ${outer} USING fts5(${inner}, content=${quoted(name)}, content_rowid='rowid', tokenize=${quoted(cut)})`,
      `INSERT INTO ${outer} (${outer}) VALUES ('rebuild')`,
      ...(drawn % 2 === 0 ? [odd] : []),
    ],
  }
}

/** Returns a pseudo-random number that depends only on the columns. */
function drawnOf({ columns }: PhysicalTable): number {
  return Array.from(columns.map((column) => column.name).join(), (letter) => letter.charCodeAt(0)).reduce(
    (sum, code) => sum + code,
    0,
  )
}

/** Writes the statements of a table. The columns decide whether it is STRICT and which columns are indexed. */
function made(table: PhysicalTable): readonly string[] {
  const { name, columns } = table
  const drawn = drawnOf(table)
  const isStrict = drawn % 3 !== 0
  const [drop = '', create = '', ...inserts] = statementsOf(table, isStrict ? strictTypes : types, identifier)
  const indexes = columns
    .filter((_, i) => ((drawn >> (i % 4)) & 1) === 1)
    .map(
      (column) =>
        `CREATE INDEX ${identifier(`${name} by ${column.name}`)} ON ${identifier(name)} (${identifier(column.name)})`,
    )
  return [drop, isStrict ? `${create} STRICT` : create, ...indexes, ...inserts]
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

async function open(): Promise<OpenTestbed | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-fuzz-'))
  const path = join(folder, 'fuzz.db')
  const connection = await openSqlite(path, { durability: 'normal' })
  const engine = await openEngine({ name: 'sqlite', path })
  return {
    create: async (table) => {
      const { name, wordsOf } = table
      const words = wordsOf === undefined ? undefined : fullText(name, wordsOf, drawnOf(table))
      const dropped = `DROP TABLE IF EXISTS ${identifier(`${name} words`)}`
      connection.exec([dropped, ...made(table), ...(words?.made ?? [])].join(';\n'))
      const index = words && { kind: 'fts5' as const, table: words.table, cut: fullTextCut(words.made[0] ?? '') }
      return { engine, source: { kind: 'table', path: [name] }, ...(index === undefined ? {} : { words: index }) }
    },
    close: async () => {
      await engine.close()
      connection.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A SQLite file with tables that Sluice did not create. */
export const sqliteTestbed: Testbed = { name: 'sqlite', types, open, advice: 'needs `better-sqlite3`' }
