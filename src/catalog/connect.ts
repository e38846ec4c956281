import { isAbsolute, join } from 'node:path'
import { SluiceError, at, nowhere, type Diagnostic, type JsonPath, type Span } from '../base/index.ts'
import { openEngine, type EngineAddress, type ForeignEngine } from '../backends/sql/index.ts'
import { catalogDiagnostic } from './diagnostics.ts'
import { isVariable, type FileConnection } from './schema.ts'

export interface ConnectOptions {
  /** The folder of the catalog: paths in it begin there. The current one unless given. */
  readonly folder?: string | undefined
  /** Where users and passwords are looked up; nowhere unless given. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Opens a database; by its address unless given. */
  readonly open?: ((address: EngineAddress) => Promise<ForeignEngine>) | undefined
}

type Members = Exclude<keyof FileConnection, 'engine'>

/** What a connection to each database is made of; the first is what it cannot do without. */
const members: Readonly<
  Record<
    FileConnection['engine'],
    { readonly needed?: Members; readonly why: string; readonly known: readonly Members[] }
  >
> = {
  duckdb: { why: '', known: ['path'] },
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

/** What is wrong with a connection as it is written. */
export function checkConnection(
  name: string,
  connection: FileConnection,
  spanOf: (path: JsonPath, key?: 'key') => Span,
): readonly Diagnostic[] {
  const path = ['connections', name]
  const { engine } = connection
  const { needed, why, known } = members[engine]
  const told: Diagnostic[] = []
  if (needed !== undefined && connection[needed] === undefined)
    told.push(catalogDiagnostic('needs-member', { engine, name: needed, why }, at(spanOf(path, 'key'))))
  for (const member of ['path', 'url', 'database', 'user', 'password'] as const) {
    const value = connection[member]
    if (value === undefined) continue
    if (!known.includes(member))
      told.push(catalogDiagnostic('useless-member', { engine, name: member }, at(spanOf([...path, member], 'key'))))
    else if ((member === 'user' || member === 'password') && !isVariable(value))
      told.push(catalogDiagnostic('secret-in-file', { what: member }, at(spanOf([...path, member]))))
  }
  if (connection.url !== undefined) {
    const url = URL.canParse(connection.url) ? new URL(connection.url) : undefined
    if (url === undefined)
      told.push(catalogDiagnostic('wrong-value', { expected: 'an address' }, at(spanOf([...path, 'url']))))
    else if (url.password !== '')
      told.push(catalogDiagnostic('secret-in-file', { what: 'password' }, at(spanOf([...path, 'url']))))
  }
  return told
}

function valueOf(variable: string | undefined, { env = {} }: ConnectOptions): string | undefined {
  if (variable === undefined) return undefined
  const name = variable.slice(1)
  const value = env[name]
  if (value === undefined) throw new SluiceError([catalogDiagnostic('no-variable', { name }, nowhere)])
  return value
}

/**
 * The database of a connection, ready for statements. Throws SluiceError `catalog/no-variable`, and `foreign/…` when it
 * cannot be opened.
 */
export async function connect(
  connection: FileConnection,
  options: ConnectOptions,
  /** The files that its tables are. */
  files: readonly string[] = [],
): Promise<ForeignEngine> {
  const { path, url, database, engine } = connection
  return (options.open ?? openEngine)({
    name: engine,
    path: path === undefined || isAbsolute(path) || path === ':memory:' ? path : join(options.folder ?? '.', path),
    url,
    database,
    ...(files.length === 0 ? {} : { files }),
    user: valueOf(connection.user, options),
    password: valueOf(connection.password, options),
  })
}
