import type { CompiledStatement } from '../../backend.ts'

type Value = null | number | bigint | string | Uint8Array

interface Spelling {
  /**
   * Matches one token of SQL: a string or quoted name, which contains no parameters, or a parameter. For a parameter, a
   * later group of the match is its name or position.
   */
  readonly token: RegExp
  readonly literal: (value: Value) => string
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}

/**
 * Writes a float as a cast of its digits. `NaN`, `Infinity` and -0 have no digits that express them, so they are cast
 * from a string.
 */
function float(value: number, cast: (text: string) => string): string {
  if (Object.is(value, -0)) return cast(quoted('-0'))
  return cast(Number.isFinite(value) ? String(value) : quoted(String(value)))
}

/** Writes a float as a SQLite literal, which needs no cast. NaN becomes NULL, since SQLite has no NaN. */
function sqliteFloat(value: number): string {
  if (Number.isNaN(value)) return 'NULL'
  if (!Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999'
  const text = Object.is(value, -0) ? '-0' : String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}

const spellings: Readonly<Record<'clickhouse' | 'duckdb' | 'postgres' | 'sqlite', Spelling>> = {
  duckdb: {
    token: /(?<quoted>\bE'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*")|\$(\w+)/g,
    literal: (value) => {
      if (value === null) return 'NULL'
      if (typeof value === 'number') return float(value, (text) => `CAST(${text} AS DOUBLE)`)
      if (typeof value === 'bigint') return isInt64(value) ? `CAST(${value} AS BIGINT)` : `CAST(${value} AS HUGEINT)`
      if (typeof value === 'string') return value.split('\0').map(quoted).join(' || chr(0) || ')
      return `from_hex('${hex(value)}')`
    },
  },
  // PostgreSQL placeholders are followed by a cast to the parameter's type, which the match includes.
  postgres: {
    token: /(?<quoted>\bE'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*")|\$(\d+)/g,
    literal: (value) => {
      if (value === null) return 'NULL'
      if (typeof value === 'number') return float(value, quotedOnce)
      if (typeof value === 'bigint') return quoted(String(value))
      return typeof value === 'string' ? quoted(value) : `'\\x${hex(value)}'`
    },
  },
  clickhouse: {
    token: /(?<quoted>'(?:[^'\\]|\\[^]|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`)|\{(\w+):[^{}]*\}/g,
    literal: (value) => {
      if (value === null) return 'CAST(NULL AS Nullable(String))'
      if (typeof value === 'number') return `toFloat64('${Object.is(value, -0) ? '-0' : String(value)}')`
      if (typeof value === 'bigint') return isInt64(value) ? `toInt64('${value}')` : `toInt256('${value}')`
      if (typeof value === 'string') return quoted(value.replaceAll('\\', '\\\\')).replaceAll('\0', String.raw`\0`)
      return `unhex('${hex(value)}')`
    },
  },
  sqlite: {
    token: /(?<quoted>\bE'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*")|:(\w+)|\?(\d+)/g,
    literal: (value) => {
      if (value === null) return 'NULL'
      if (typeof value === 'number') return sqliteFloat(value)
      if (typeof value === 'bigint') return String(value)
      if (typeof value === 'string') return value.split('\0').map(quoted).join(' || char(0) || ')
      return `x'${hex(value)}'`
    },
  },
}

function quotedOnce(text: string): string {
  return text.startsWith("'") ? text : quoted(text)
}

/**
 * Writes a statement with its parameter values as literals, so that a person can run it in a shell. Programs of host
 * functions have no literal form and stay parameters. `name` is the database's name.
 */
export function inlineValues({ sql, parameters }: CompiledStatement, name: keyof typeof spellings): CompiledStatement {
  const { token, literal } = spellings[name]
  const text = sql.replaceAll(token, (whole: string, ...groups: readonly (string | undefined)[]) => {
    const [isQuoted, ...names] = groups
    if (isQuoted !== undefined) return whole
    const wanted = names.find((each) => typeof each === 'string' && each !== '')
    const given = parameters.find((each, i) => each.name === wanted || String(i + 1) === wanted)
    if (given === undefined || given.kind === 'program' || given.value === undefined) return whole
    const written = literal(given.value)
    return /^-|\|\|/.test(written) ? `(${written})` : written
  })
  return { sql: text, parameters: parameters.filter(({ kind }) => kind === 'program') }
}
