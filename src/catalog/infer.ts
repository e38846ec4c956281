import type { ForeignColumn, ForeignEngine, ForeignName, ForeignSource } from '../backends/sql/index.ts'
import { checkArgument, SluiceError, nowhere } from '../base/index.ts'
import { databaseOf } from './address.ts'
import { connectOptions, connect, type ConnectOptions } from './connect.ts'
import { catalogDiagnostic } from './diagnostics.ts'
import { isStreamName, textNames, unitOfColumn, usualNames, usualTimes } from './guess.ts'
import { isObjectText, samplesOf, tablesOf, wordsOf } from './look.ts'
import { nativeType, type NativeType } from './native-types.ts'
import type { FileConnection } from './text/schema.ts'
import type { TimeUnit } from './words.ts'
import { formatOfPath, pathOf } from './source.ts'

/** The options of `inferCatalog`: the tables to propose, and how to open the database. */
export interface InferOptions extends ConnectOptions {
  /** The tables to propose. Default: all. */
  readonly tables?: readonly string[] | undefined
}

/** Maximum number of proposed tables. The names of further tables are listed in a comment. */
const MAX_TABLES = 200
/** The table name for a single file pattern. With several patterns, each gets a table. */
const FILES_TABLE = 'logs'

type LocationWritten = Pick<FileConnection, 'engine'> & {
  readonly [member in 'path' | 'url' | 'user' | 'password']?: string
}

interface CatalogEntry {
  readonly engine: ForeignName
  /** The location as written into the catalog. */
  readonly written: LocationWritten
  readonly env: Readonly<Record<string, string>>
  readonly files: string | undefined
}

/** Resolves an address, a path or a file pattern. Throws `catalog/no-file`. */
function locationOf(where: string): CatalogEntry {
  const found = databaseOf(where)
  // Files in other formats are not databases, although DuckDB can read them.
  const files = found?.engine === 'duckdb' ? found.where : where
  if (formatOfPath(files) !== undefined) return { engine: 'duckdb', written: { engine: 'duckdb' }, env: {}, files }
  if (found?.engine === 'sqlite' || found?.engine === 'duckdb') return fileDatabase(found.engine, found.where)
  if (found !== undefined) return serverOf(new URL(found.where))
  const reason =
    'it is not an address as `postgres://…` or `https://…`, a path that ends with `.db`, `.sqlite` or `.duckdb`, or files as `logs/*.parquet`; `sqlite:PATH` and `duckdb:PATH` take any name'
  throw new SluiceError([
    catalogDiagnostic('no-database', { where: where.replace(/\/\/[^@/]*@/, '//…@'), reason }, nowhere),
  ])
}

function fileDatabase(engine: 'sqlite' | 'duckdb', path: string): CatalogEntry {
  return { engine, written: { engine, path }, env: {}, files: undefined }
}

function serverOf(url: URL): CatalogEntry {
  const engine = url.protocol.startsWith('postgres') ? 'postgres' : 'clickhouse'
  const { username, password } = url
  url.username = ''
  url.password = ''
  if (url.protocol === 'clickhouse:') return serverOf(new URL(url.href.replace(/^clickhouse/, 'http')))
  const name = engine.toUpperCase()
  const env: Record<string, string> = {}
  const written: { engine: ForeignName; url: string; user?: string; password?: string } = {
    engine,
    url: url.href.replace(/\/$/, ''),
  }
  if (username !== '') {
    written.user = `$${name}_USER`
    env[`${name}_USER`] = decodeURIComponent(username)
  }
  if (password !== '') {
    written.password = `$${name}_PASSWORD`
    env[`${name}_PASSWORD`] = decodeURIComponent(password)
  }
  return { engine, written, env, files: undefined }
}

const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n|~)$/i

/** Formats a string as YAML, unquoted if that has the same meaning. */
function yaml(text: string): string {
  return /^[A-Za-z_./][\w./-]*$/.test(text) && !RESERVED.test(text) ? text : JSON.stringify(text)
}

function yamlList(texts: readonly string[]): string {
  return `[${texts.map(yaml).join(', ')}]`
}

interface Line {
  readonly text: string
  readonly comment?: string | undefined
}

function layOut(lines: readonly Line[], indent: string): string {
  const width = Math.min(
    48,
    Math.max(0, ...lines.filter(({ comment }) => comment !== undefined).map(({ text }) => text.length)),
  )
  return lines
    .map(({ text, comment }) =>
      `${indent}${comment === undefined ? text : `${text.padEnd(width)}  # ${comment}`}`.trimEnd(),
    )
    .join('\n')
}

interface Guess {
  readonly column: ForeignColumn
  readonly unit: TimeUnit
  readonly why: string
}

const unitWords: Readonly<Record<TimeUnit, string>> = {
  s: 'its numbers are seconds since 1970',
  ms: 'its numbers are milliseconds since 1970',
  us: 'its numbers are microseconds since 1970',
  ns: 'its numbers are nanoseconds since 1970',
  text: 'its texts are times',
  timestamp: 'by its type',
}

class Proposal {
  readonly #engine: ForeignEngine
  readonly #source: ForeignSource
  readonly #columns: readonly ForeignColumn[]

  constructor(engine: ForeignEngine, source: ForeignSource, columns: readonly ForeignColumn[]) {
    this.#engine = engine
    this.#source = source
    this.#columns = columns
  }

  async lines(): Promise<readonly Line[]> {
    const time = await this.#time()
    const lines: Line[] = [time === undefined ? arrivalLine : timeLine(time)]
    const ofKind = (column: ForeignColumn) => nativeType(this.#engine.name, column.type)
    const objects = await this.#objects(time?.column)
    const texts = this.#columns.filter(
      (column) =>
        !objects.has(column.name) &&
        ofKind(column).types.includes('string') &&
        ofKind(column).time !== 'timestamp' &&
        column !== time?.column,
    )
    const [text] = usualNames(
      texts.map(({ name }) => name),
      textNames,
    )
    if (text !== undefined) lines.push({ text: `text: ${yaml(text)}`, comment: 'by its name' })
    const stream = texts.filter(({ name }) => isStreamName(name)).map(({ name }) => name)
    if (stream.length > 0) lines.push({ text: `stream: ${yamlList(stream.slice(0, 4))}`, comment: 'by their names' })
    const attributes = this.#columns.flatMap((column) =>
      // The members of columns in files are fields already (`column.member`), so they need no entry.
      this.#source.kind === 'files' || (ofKind(column).attributes === undefined && !objects.has(column.name))
        ? []
        : [column.name],
    )
    if (attributes.length > 0)
      lines.push({ text: `attributes: ${yamlList(attributes)}`, comment: 'their members are fields by name' })
    const words =
      text === undefined || this.#source.kind === 'files'
        ? undefined
        : await wordsOf(this.#engine, this.#source.path, text)
    if (words !== undefined)
      lines.push({
        text: typeof words === 'string' ? `words: ${words}` : `words: { fts5: ${yaml(words.fts5)} }`,
        comment: `an index over ${text}`,
      })
    const used = new Set([time?.column.name, ...attributes])
    const fields = this.#columns.filter(({ name }) => !used.has(name))
    if (fields.length > 0) {
      lines.push({ text: '# Fields under their own names:' })
      for (const column of fields)
        lines.push({
          text: `#   ${yaml(column.name)}`,
          comment: `${ofKind(column).types[0] ?? 'any'}, ${column.type === '' ? 'no type' : column.type}`,
        })
    }
    return lines
  }

  /** Returns the SQLite columns whose strings are JSON objects. The values decide, since SQLite has no JSON type. */
  async #objects(time: ForeignColumn | undefined): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    if (this.#engine.name !== 'sqlite') return found
    for (const column of this.#columns) {
      if (column === time || nativeType(this.#engine.name, column.type).time !== 'text') continue
      const samples = await samplesOf(this.#engine, this.#source, column.name)
      if (samples.length > 0 && samples.every(isObjectText)) found.add(column.name)
    }
    return found
  }

  async #time(): Promise<Guess | undefined> {
    const native = ({ type }: ForeignColumn): NativeType => nativeType(this.#engine.name, type)
    const candidates = this.#columns.filter((column) => native(column).time !== undefined)
    const usual = usualTimes(candidates)
    const rest = candidates.filter((column) => !usual.includes(column))
    const stamps = rest.filter((column) => native(column).time === 'timestamp')
    // The values of a string column show whether it has times; a number column also needs a usual name.
    const named = rest.filter(
      (column) =>
        !stamps.includes(column) && (native(column).time === 'text' || /time|date|_at$|^ts|ts$/i.test(column.name)),
    )
    for (const column of [...usual, ...stamps, ...named]) {
      const unit = await unitOfColumn(native(column), () => samplesOf(this.#engine, this.#source, column.name))
      if (unit !== undefined) return { column, unit, why: unitWords[unit] }
    }
    return undefined
  }
}

const arrivalLine: Line = {
  text: 'time: { arrival: true }',
  comment: 'no column is a time: all rows have that at which the catalog is opened',
}

function timeLine({ column, unit, why }: Guess): Line {
  const name = yaml(column.name)
  return { text: unit === 'timestamp' ? `time: ${name}` : `time: { column: ${name}, unit: ${unit} }`, comment: why }
}

function tableName(path: readonly string[]): string {
  return path.at(-1) ?? ''
}

function connectionLines({ written, env }: CatalogEntry): readonly Line[] {
  return Object.entries(written).map(([member, value]) => ({
    text: `${member}: ${value.startsWith('$') ? value : yaml(value)}`,
    comment: value.startsWith('$') && Object.hasOwn(env, value.slice(1)) ? 'from the environment' : undefined,
  }))
}

/**
 * Proposes a catalog for a database as YAML with comments, for all or selected tables, from their columns and values.
 * `where` is an address, the path of a database file, or a file pattern. Throws SluiceError `catalog/no-database`,
 * `foreign/…`.
 */
export async function inferCatalog(where: string, options: InferOptions = {}): Promise<string> {
  checkArgument(
    typeof where === 'string',
    where,
    'a file, a pattern or the address of a database',
    "inferCatalog('app.db')",
  )
  connectOptions.check(options, '`inferCatalog`')
  const location = locationOf(where)
  const engine = await connect(
    location.engine,
    location.written,
    { ...options, env: { ...options.env, ...location.env } },
    location.files === undefined
      ? []
      : [{ format: formatOfPath(location.files) ?? 'parquet', paths: [location.files] }],
  )
  try {
    const paths =
      location.files === undefined
        ? (options.tables?.map(pathOf) ?? (await tablesOf(engine)))
        : [[options.tables?.[0] ?? FILES_TABLE]]
    const parts = [
      `# Proposed from what ${location.files === undefined ? 'the database' : 'the files'} told; what a comment explains was guessed.\n# \`sluice catalog check FILE\` says whether it is right.`,
      `connections:\n  ${location.engine}:\n${layOut(connectionLines(location), '    ')}`,
    ]
    const tables: string[] = []
    /** Tables without a time come last, because a query that names no table reads the first. */
    const timeless: string[] = []
    for (const path of paths.slice(0, MAX_TABLES)) {
      const named: ForeignSource =
        location.files === undefined
          ? { kind: 'table', path }
          : { kind: 'files', format: formatOfPath(location.files) ?? 'parquet', paths: [location.files] }
      const source = (await engine.settle?.(named)) ?? named
      const columns = await engine.describe(source)
      const lines = await new Proposal(engine, source, columns).lines()
      const origin: Line[] =
        location.files !== undefined
          ? [{ text: `files: ${yaml(location.files)}` }]
          : path.some((part) => part.includes('.'))
            ? [{ text: `table: ${yamlList(path)}` }]
            : path.length > 1
              ? [{ text: `table: ${yaml(path.join('.'))}` }]
              : []
      const list = lines.includes(arrivalLine) ? timeless : tables
      list.push(`  ${yaml(tableName(path))}:\n${layOut([...origin, ...lines], '    ')}`)
    }
    tables.push(...timeless)
    parts.push(tables.length === 0 ? 'tables: {}  # there are none' : `tables:\n${tables.join('\n\n')}`)
    if (paths.length > MAX_TABLES)
      parts.push(`# ${paths.length - MAX_TABLES} more tables are left out: name those that are wanted.`)
    return `${parts.join('\n\n')}\n`
  } finally {
    await engine.close()
  }
}
