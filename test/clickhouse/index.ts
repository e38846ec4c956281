import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A ClickHouse server that tests connect to. */
export interface ClickHouse {
  readonly url: string
  readonly username: string
  readonly password: string
  /**
   * Runs a statement directly, bypassing the tested code. Tests use it to create tables, insert rows, and compute
   * expected answers.
   */
  run(sql: string, settings?: Readonly<Record<string, string>>): Promise<string>
  /**
   * Returns the processor time used so far, in microseconds. If an external server is configured, returns the
   * wall-clock time.
   */
  cpuMicros(): Promise<number>
  /** Kills the server without a shutdown, as a crash would. */
  kill(): Promise<void>
  stop(): Promise<void>
}

const named = process.env['SLUICE_TEST_CLICKHOUSE_URL']
const isInstalled = existsSync(join(import.meta.dirname, 'node_modules', 'chdb', 'package.json'))

/**
 * True if ClickHouse is available: a configured server, or the engine that `npm install --no-save --prefix
 * test/clickhouse` installs.
 */
export const hasClickHouse = named !== undefined || isInstalled
/** Title for test groups. It states the reason if the tests are skipped. */
export const CLICKHOUSE = hasClickHouse
  ? 'ClickHouse'
  : 'ClickHouse (skipped: npm install --no-save --prefix test/clickhouse)'

async function ask(
  url: string,
  username: string,
  password: string,
  sql: string,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const response = await fetch(`${url}/?${new URLSearchParams(settings).toString()}`, {
    method: 'POST',
    body: sql,
    headers: { 'X-ClickHouse-User': username, 'X-ClickHouse-Key': password },
  })
  const body = await response.text()
  if (!response.ok || body.includes('__exception__')) throw new Error(body)
  return body
}

function ofUrl(given: string): ClickHouse {
  const { username, password, origin } = new URL(given)
  const [name, key] = [decodeURIComponent(username) || 'default', decodeURIComponent(password)]
  return {
    url: origin,
    username: name,
    password: key,
    run: (sql, settings = {}) => ask(origin, name, key, sql, settings),
    cpuMicros: () => Promise.resolve(performance.now() * 1000),
    kill: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  }
}

/** Starts a server process for a test file, or connects to the configured one. */
export async function startClickHouse(): Promise<ClickHouse> {
  if (named !== undefined) return ofUrl(named)
  const folder = mkdtempSync(join(tmpdir(), 'sluice-clickhouse-'))
  const [username, password] = ['sluice', 'a secret']
  const child = spawn(process.execPath, [join(import.meta.dirname, 'server.ts'), folder, username, password], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const [port] = (await Promise.race([once(lines, 'line'), ended.then(() => ['0'])])) as [string]
  if (port === '0') throw new Error('the engine did not start')
  const url = `http://127.0.0.1:${port}`
  const end = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    url,
    username,
    password,
    run: (sql, settings = {}) => ask(url, username, password, sql, settings),
    cpuMicros: async () => Number(await (await fetch(`${url}/cpu`)).text()),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    stop: end,
  }
}
