import { isAbsolute, join } from 'node:path'
import { Options, SluiceError, at, nowhere, type Diagnostic, type JsonPath, type Span } from '../base/index.ts'
import {
  openEngine,
  type AttachedDatabase,
  type EngineAddress,
  type ForeignEngine,
  type ForeignFormat,
  type TableMapping,
} from '../backends/sql/index.ts'
import { databaseOf } from './address.ts'
import { catalogDiagnostic } from './diagnostics.ts'
import type { FileConnection } from './text/schema.ts'
import { isVariable } from './words.ts'

/** Options for opening the databases of a catalog. */
export interface ConnectOptions {
  /** The folder that relative paths start from. Default: the current folder. */
  readonly folder?: string | undefined
  /** The time given to rows in files that have no time. Default: now. */
  readonly nowNs?: bigint | undefined
  /** The environment variables that may contain users and passwords. Default: none. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** The number of threads that query the catalog. */
  readonly workers?: number | undefined
  /** Mappings that another thread has computed; if given, the databases are not inspected. */
  readonly mappings?: readonly TableMapping[] | undefined
  /** Opens the database of a named connection. By default it is opened at its address. */
  readonly open?: ((address: EngineAddress, connection: string) => Promise<ForeignEngine>) | undefined
}

/** The options of `openCatalog` and `inferCatalog`. Only the latter accepts `tables`. */
export const connectOptions = new Options<ConnectOptions & { readonly tables?: readonly string[] | undefined }>({
  folder: 'string',
  nowNs: 'bigint',
  env: 'object',
  workers: 'number',
  mappings: 'list',
  open: 'function',
  tables: 'list',
})

export interface FileSource {
  readonly format: ForeignFormat
  readonly paths: readonly string[]
}

type Members = Exclude<keyof FileConnection, 'engine'>

/** Per database engine: the members that a connection may have, and the required one. */
const members: Readonly<
  Record<
    FileConnection['engine'],
    { readonly needed?: Members; readonly why: string; readonly known: readonly Members[] }
  >
> = {
  duckdb: { why: '', known: ['path', 'attach', 'user', 'password'] },
  sqlite: { needed: 'path', why: 'The path of the database file.', known: ['path'] },
  clickhouse: {
    needed: 'url',
    why: 'The address of its HTTP interface, such as `https://host:8443`.',
    known: ['url', 'database', 'user', 'password'],
  },
  postgres: {
    needed: 'url',
    why: 'Its address, such as `postgres://host:5432/database`.',
    known: ['url', 'database', 'user', 'password'],
  },
}

/** Checks the addresses of the databases that a DuckDB connection attaches. */
function checkAttached(
  attached: Readonly<Record<string, string>>,
  spanOf: (name: string) => Span,
): readonly Diagnostic[] {
  return Object.entries(attached).flatMap(([name, where]) => {
    const found = databaseOf(where)
    if (found === undefined || found.engine === 'clickhouse') {
      const expected =
        'a path that ends with `.duckdb`, `.db` or `.sqlite`, or an address as `postgres://host/database`'
      return [catalogDiagnostic('wrong-value', { expected }, at(spanOf(name)))]
    }
    if (found.engine !== 'postgres' || new URL(found.where).password === '') return []
    return [catalogDiagnostic('secret-in-file', { what: 'password' }, at(spanOf(name)))]
  })
}

/** Returns the errors in the declaration of a connection. */
export function checkConnection(
  name: string,
  connection: FileConnection,
  spanOf: (path: JsonPath, key?: 'key') => Span,
): readonly Diagnostic[] {
  const path = ['connections', name]
  const { engine } = connection
  const { needed, why, known } = members[engine]
  const reported: Diagnostic[] = []
  if (needed !== undefined && connection[needed] === undefined)
    reported.push(catalogDiagnostic('needs-member', { engine, name: needed, why }, at(spanOf(path, 'key'))))
  for (const member of ['path', 'url', 'database', 'user', 'password', 'attach'] as const) {
    const value = connection[member]
    if (value === undefined) continue
    if (!known.includes(member))
      reported.push(catalogDiagnostic('useless-member', { engine, name: member }, at(spanOf([...path, member], 'key'))))
    else if (typeof value !== 'string')
      reported.push(...checkAttached(value, (name) => spanOf([...path, member, name])))
    else if ((member === 'user' || member === 'password') && !isVariable(value))
      reported.push(catalogDiagnostic('secret-in-file', { what: member }, at(spanOf([...path, member]))))
  }
  if (connection.url !== undefined) {
    const url = URL.canParse(connection.url) ? new URL(connection.url) : undefined
    if (url === undefined)
      reported.push(catalogDiagnostic('wrong-value', { expected: 'an address' }, at(spanOf([...path, 'url']))))
    else if (url.password !== '')
      reported.push(catalogDiagnostic('secret-in-file', { what: 'password' }, at(spanOf([...path, 'url']))))
  }
  return reported
}

function valueOf(variable: string | undefined, { env = {} }: ConnectOptions): string | undefined {
  if (variable === undefined) return undefined
  const name = variable.slice(1)
  const value = env[name]
  if (value === undefined) throw new SluiceError([catalogDiagnostic('no-variable', { name }, nowhere)])
  return value
}

/** Connects to a database. Throws SluiceError `catalog/no-variable`, and `foreign/…` if it cannot be opened. */
export async function connect(
  name: string,
  connection: FileConnection,
  options: ConnectOptions,
  /** The files that the tables of the connection read. */
  files: readonly FileSource[] = [],
): Promise<ForeignEngine> {
  const { path, url, database, engine } = connection
  const inFolder = (each: string): string => (isAbsolute(each) ? each : join(options.folder ?? '.', each))
  const user = valueOf(connection.user, options)
  const password = valueOf(connection.password, options)
  const attach = Object.entries(connection.attach ?? {}).flatMap(([name, given]): readonly AttachedDatabase[] => {
    const found = databaseOf(given)
    if (found === undefined || found.engine === 'clickhouse') return []
    if (found.engine !== 'postgres') return [{ name, kind: found.engine, where: inFolder(found.where) }]
    const address = new URL(found.where)
    if (user !== undefined) address.username = encodeURIComponent(user)
    if (password !== undefined) address.password = encodeURIComponent(password)
    return [{ name, kind: found.engine, where: address.href }]
  })
  const address: EngineAddress = {
    name: engine,
    path: path === undefined || path === ':memory:' ? path : inFolder(path),
    url,
    database,
    ...(files.length === 0 ? {} : { files: files.flatMap(({ paths }) => paths) }),
    ...(files.some(({ format }) => format === 'arrow') ? { extensions: ['nanoarrow'] as const } : {}),
    ...(attach.length === 0 ? {} : { attach }),
    user,
    password,
    workers: options.workers,
  }
  return options.open === undefined ? openEngine(address) : options.open(address, name)
}
