import { openEngine } from '../../../backends/sql/index.ts'
import { enumTexts } from '../layout.ts'
import { quoted, statementsOf, type OpenTestbed, type StoredValue, type Testbed } from '../testbed.ts'

const plain = (value: StoredValue): string => String(value)
const text = (value: StoredValue): string => quoted(String(value))

const types: Testbed['types'] = {
  text: { declared: 'text', literal: text },
  enum: { declared: 'fuzz_enum', literal: text },
  double: { declared: 'double precision', literal: (value) => `'${value}'::float8`, hasNaN: true },
  integer: { declared: 'bigint', literal: (value) => `'${value}'::bigint` },
  bool: { declared: 'boolean', literal: plain },
  // `jsonb` prints a blank after each comma and colon. Strings in the value must contain neither.
  json: { declared: 'jsonb', literal: text, written: (json) => json.replaceAll(/[,:]/g, '$& ') },
  'time-type': { declared: 'timestamptz', literal: text, stepNs: 1000n },
  'time-s': { declared: 'bigint', literal: plain },
  'time-ms': { declared: 'bigint', literal: plain },
  'time-us': { declared: 'bigint', literal: plain },
  'time-ns': { declared: 'bigint', literal: plain },
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

interface Server {
  readonly url: string
  close(): Promise<void>
}

/** Time that an unused PostgreSQL stays open, ms, because starting one takes long. */
const KEPT_MS = 3000
let spare: { readonly server: Server; readonly timer: NodeJS.Timeout } | undefined

async function letGo(server: Server): Promise<void> {
  if (spare !== undefined) return server.close()
  const timer = setTimeout(() => {
    spare = undefined
    void server.close()
  }, KEPT_MS)
  spare = { server, timer }
}

function taken(): Server | undefined {
  if (spare === undefined) return undefined
  const { server, timer } = spare
  clearTimeout(timer)
  spare = undefined
  return server
}

/** Returns the configured server, or one in this process; `undefined` when its package is missing. */
async function server(): Promise<Server | undefined> {
  const url = process.env['SLUICE_TEST_POSTGRES_URL']
  if (url !== undefined) return { url, close: () => Promise.resolve() }
  try {
    const { PGlite } = await import('@electric-sql/pglite')
    const { PGLiteSocketServer } = await import('@electric-sql/pglite-socket')
    const db = await PGlite.create()
    const socket = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1', maxConnections: 8 })
    await socket.start()
    return {
      url: `postgres://postgres@${socket.getServerConn()}/postgres?sslmode=disable`,
      close: async () => {
        await socket.stop()
        await db.close()
      },
    }
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return undefined
  }
}

async function open(): Promise<OpenTestbed | undefined> {
  const found = taken() ?? (await server())
  if (found === undefined) return undefined
  const { url } = found
  const { Client } = await import('pg')
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    'DROP SCHEMA IF EXISTS sluice_fuzz CASCADE; CREATE SCHEMA sluice_fuzz; SET search_path = sluice_fuzz',
  )
  await client.query(`CREATE TYPE fuzz_enum AS ENUM (${enumTexts.map(quoted).join(', ')})`)
  const engine = await openEngine({ name: 'postgres', url })
  return {
    create: async (table) => {
      await client.query(statementsOf(table, types, identifier).join(';\n'))
      return { engine, source: { kind: 'table', path: ['sluice_fuzz', table.name] } }
    },
    close: async () => {
      await engine.close()
      await client.end()
      await letGo(found)
    },
  }
}

/** The PostgreSQL server at `SLUICE_TEST_POSTGRES_URL`, else one in this process. */
export const postgresTestbed: Testbed = {
  name: 'postgres',
  types,
  open: open,
  advice: 'needs `@electric-sql/pglite` with its socket, or a server that `SLUICE_TEST_POSTGRES_URL` names',
}
