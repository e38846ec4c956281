import { spawn, type ChildProcess } from 'node:child_process'
import { present } from '../../src/base/index.ts'
import { program as launcher } from './program.ts'
import { PATIENCE_MS } from './patience.ts'

/** A server in a separate process that can be killed. */
export interface ServerProcess {
  readonly address: string
  readonly child: ChildProcess
  /** Milliseconds from the start of the process until it printed its address. */
  readonly readyMs: number
  /** Resolves with the first match of the pattern in the output, once there is one. Rejects after `PATIENCE_MS`. */
  told(pattern: RegExp): Promise<string>
  /** Returns everything written to standard error so far. */
  errors(): string
  kill(): Promise<void>
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>
}

export const PROCESS_KEY = 'key-of-the-test-process-0123456789'

function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)))
}

export function authorized(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { Authorization: `Bearer ${PROCESS_KEY}`, ...headers }
}

/** Running servers; all of them are killed when this process exits. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Starts `sluice serve` on a free port. `program` is the launcher to run; by default that of this repository. Rejects
 * with the output if the process ends before it is ready.
 */
export async function startServer(
  args: readonly string[],
  nodeArgs: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  program = launcher,
): Promise<ServerProcess> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [...nodeArgs, program, 'serve', '--port', '0', ...args], {
    env: { ...process.env, ...env, SLUICE_API_KEY: PROCESS_KEY },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let output = ''
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /listens on (https?:\S+)/.exec(output)
      if (found !== null) resolve(present(found[1]))
    })
    child.once('exit', () => setImmediate(() => reject(new Error(errors + output))))
  })
  return {
    address,
    child,
    errors: () => errors,
    readyMs: performance.now() - startedMs,
    told: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const [found] = pattern.exec(output) ?? []
          if (found === undefined) return
          clearTimeout(timer)
          child.stdout?.off('data', look)
          resolve(found)
        }
        const timer = setTimeout(() => {
          child.stdout?.off('data', look)
          reject(new Error(`The server did not print ${pattern}, but:\n${output}`))
        }, PATIENCE_MS)
        child.stdout?.on('data', look)
        look()
      }),
    kill: async () => {
      child.kill('SIGKILL')
      await exitOf(child)
    },
    stop: async () => {
      child.kill('SIGTERM')
      return exitOf(child)
    },
  }
}

/** Sends a log search over the years 2020 to 2040 and returns its rows. Throws if the status is not 200. */
export async function search(
  address: string,
  query: string,
  path = '/api/logs/v2/search',
  key = PROCESS_KEY,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ start: '2020-01-01T00:00:00Z', end: '2040-01-01T00:00:00Z', query }),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`)
  return JSON.parse(text) as readonly Readonly<Record<string, unknown>>[]
}
