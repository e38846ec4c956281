import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A PostgreSQL for one test; `close` ends it, unless it is the server of `SLUICE_TEST_POSTGRES_URL`. */
export interface TestPostgres {
  readonly url: string
  /**
   * `server` is a PostgreSQL in separate processes. `embedded` runs in the test's process and allows one connection at
   * a time.
   */
  readonly kind: 'server' | 'embedded'
  close(): Promise<void>
}

const INSTALLED = '/usr/lib/postgresql'

/** Returns the folder of PostgreSQL's programs, or `undefined` if it is not installed. */
function programs(): string | undefined {
  if (!existsSync(INSTALLED)) return undefined
  const [newest] = readdirSync(INSTALLED).toSorted((a, b) => Number(b) - Number(a))
  const folder = join(INSTALLED, newest ?? '', 'bin')
  return existsSync(join(folder, 'initdb')) ? folder : undefined
}

/**
 * True if tests can use a PostgreSQL in separate processes: the one at `SLUICE_TEST_POSTGRES_URL`, or one installed on
 * this machine.
 */
export const hasPostgresServer = process.env['SLUICE_TEST_POSTGRES_URL'] !== undefined || programs() !== undefined

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

interface Account {
  readonly uid?: number
  readonly gid?: number
}

/**
 * Returns the user and group ids under which the server runs. Root uses `nobody`, since PostgreSQL refuses to run as
 * root.
 */
function account(): Account {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

const MOST_STARTS = 5

async function startInstalled(folder: string): Promise<TestPostgres> {
  const data = mkdtempSync(join(tmpdir(), 'sluice-postgres-'))
  const who = account()
  if (who.uid !== undefined && who.gid !== undefined) chownSync(data, who.uid, who.gid)
  const made = ['-D', data, '-U', 'sluice', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
  execFileSync(join(folder, 'initdb'), made, { ...who, stdio: 'pipe', cwd: data })
  for (let tries = 1; ; tries++) {
    try {
      return await startOver(data, folder, who)
    } catch (error) {
      // Between `freePort` and the start of the server, another process may have taken the port.
      if (tries === MOST_STARTS || !String(error).includes('in use')) throw error
    }
  }
}

/** Starts a server on an initialized data folder, at a port that was free just before. */
async function startOver(data: string, folder: string, who: Account): Promise<TestPostgres> {
  const port = await freePort()
  const settings = [`listen_addresses=127.0.0.1`, `unix_socket_directories=`, 'fsync=off', 'max_connections=20']
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  const child = spawn(join(folder, 'postgres'), args, { ...who, stdio: ['ignore', 'ignore', 'pipe'], cwd: data })
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let told = ''
    child.stderr.on('data', (chunk: Buffer) => {
      told += chunk.toString()
      if (told.includes('ready to accept connections')) resolve()
    })
    // `close` is emitted after all output has been read, so the error contains the whole output.
    child.once('close', () => reject(new Error(`postgres ended: ${told}`)))
  })
  const stop = (): void => void child.kill('SIGINT')
  process.once('exit', stop)
  return {
    url: `postgres://sluice@127.0.0.1:${port}/postgres`,
    kind: 'server',
    close: async () => {
      process.removeListener('exit', stop)
      stop()
      await ended
      rmSync(data, { recursive: true, force: true })
    },
  }
}

async function startEmbedded(): Promise<TestPostgres> {
  const { PGlite } = await import('@electric-sql/pglite')
  const { pg_trgm } = await import('@electric-sql/pglite/contrib/pg_trgm')
  const { PGLiteSocketServer } = await import('@electric-sql/pglite-socket')
  const db = await PGlite.create({ extensions: { pg_trgm } })
  const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1', maxConnections: 8 })
  await server.start()
  return {
    url: `postgres://postgres@${server.getServerConn()}/postgres?sslmode=disable`,
    kind: 'embedded',
    close: async () => {
      await server.stop()
      await db.close()
    },
  }
}

/**
 * Returns the server at `SLUICE_TEST_POSTGRES_URL` if set; otherwise starts an embedded one in this process. With
 * `isServer`, an installed PostgreSQL is started instead of the embedded one, with a temporary data folder.
 */
export async function startPostgres({ isServer = false } = {}): Promise<TestPostgres> {
  const url = process.env['SLUICE_TEST_POSTGRES_URL']
  if (url !== undefined) return { url, kind: 'server', close: () => Promise.resolve() }
  const folder = programs()
  return isServer && folder !== undefined ? startInstalled(folder) : startEmbedded()
}
