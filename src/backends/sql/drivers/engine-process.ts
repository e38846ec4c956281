import { fork, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  QUERY_NICENESS,
  FIRST_RETRY_MS,
  HEARTBEAT_MS,
  MAX_RETRY_MS,
  RESPONSE_TIMEOUT_MS,
  Stall,
  SluiceError,
  nowhere,
} from '../../../base/index.ts'
import { ownBytes, processTimes } from '../../../system/index.ts'
import type { EngineAddress } from '../engines/address.ts'
import { foreignDiagnostic } from '../foreign/diagnostics.ts'
import type { FromEngineProcess, ToEngineProcess } from './engine-messages.ts'
import { PROCESS_HEAP_MIB, CALL_THREADS } from '../tuning.ts'

export interface EngineProcessOptions {
  readonly address: EngineAddress
  /**
   * Memory of the process, in bytes, above which the process is replaced. Statements have smaller limits of their own.
   */
  readonly ceilingBytes: number
  /** Maximum number of bytes that the process writes to disk for data that do not fit into memory. */
  readonly scratchBytes: number
  /**
   * Milliseconds without a response after which the process is replaced; 10 s by default. Time in which the process had
   * no processor does not count.
   */
  readonly silentMs?: number | undefined
  /** Called each time the process has ended or was killed; another process then replaces it. */
  readonly onLost?: ((why: EngineLoss) => void) | undefined
}

export type EngineLoss = 'memory' | 'silent' | 'ended'

function failure({ reason, diagnostics }: Extract<FromEngineProcess, { kind: 'failed' }>, engine: string): SluiceError {
  return new SluiceError(diagnostics ?? [foreignDiagnostic('connect', { engine, reason }, nowhere)])
}

/**
 * A child process that has a database open. Other threads and processes connect through a socket, in a folder that only
 * this user may enter. The child is replaced if it ends, does not respond or uses too much memory. The child ends with
 * the process that started it.
 */
export class EngineProcess {
  /** The path of the socket. A replacement process listens at the same path. */
  readonly socket: string
  readonly #options: EngineProcessOptions
  readonly #folder = mkdtempSync(join(tmpdir(), 'sluice-engine-'))
  readonly #leave = (): void => {
    this.#kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }
  #child: ChildProcess | undefined
  #beat = 0
  #silence = new Stall()
  #why: EngineLoss = 'ended'
  #failures = 0
  #isClosed = false
  readonly #watch: NodeJS.Timeout

  private constructor(options: EngineProcessOptions) {
    this.#options = options
    this.socket = join(this.#folder, 'socket')
    process.once('exit', this.#leave)
    this.#watch = setInterval(() => this.#look(), HEARTBEAT_MS).unref()
  }

  /**
   * Starts the process. Resolves once it listens. Rejects with the SluiceError `foreign/…` if it cannot open the
   * database.
   */
  static async start(options: EngineProcessOptions): Promise<EngineProcess> {
    const made = new EngineProcess(options)
    try {
      await made.#start()
    } catch (error) {
      await made.close()
      throw error
    }
    return made
  }

  /** The process id of the current child process; `undefined` while there is none. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#watch)
    process.off('exit', this.#leave)
    const child = this.#child
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.ref()
      child.kill('SIGKILL')
      await ended
    }
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #start(): Promise<void> {
    const { address, scratchBytes } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    // During development, the TypeScript source runs without compilation.
    const entry = import.meta.url.endsWith('.ts') ? './engine-child.ts' : './engine-child.js'
    const child = fork(new URL(entry, import.meta.url), [], {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${PROCESS_HEAP_MIB}`],
      env: { ...process.env, UV_THREADPOOL_SIZE: String(CALL_THREADS) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child = child
    this.#silence = new Stall()
    this.#beat = 0
    this.#why = 'ended'
    try {
      // Threads that the child starts later inherit the low priority.
      if (child.pid !== undefined) setPriority(child.pid, QUERY_NICENESS)
    } catch {
      // Setting the priority fails if the system forbids it or the process has already ended. Neither matters.
    }
    child.on('message', (message: FromEngineProcess) => {
      this.#beat++
      if (message.kind === 'ready') {
        this.#failures = 0
        // A running child does not keep this program from ending.
        child.unref()
        child.channel?.unref()
        resolve()
      } else if (message.kind === 'failed') {
        reject(failure(message, address.name))
        child.kill('SIGKILL')
      }
    })
    child.on('error', reject)
    child.once('exit', (code, signal) => {
      const reason = `its process ended with ${signal ?? code}`
      reject(failure({ kind: 'failed', reason }, address.name))
      if (this.#isClosed) return
      this.#options.onLost?.(this.#why)
      this.#startLater()
    })
    const scratch = { folder: join(this.#folder, 'scratch'), bytes: scratchBytes }
    this.#tell({ kind: 'open', address: { ...address, scratch }, socket: this.socket })
    return promise
  }

  #startLater(): void {
    const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** this.#failures++, MAX_RETRY_MS)
    setTimeout(() => {
      // If this start fails, callers that connect get an error, and the child's exit triggers the next start.
      if (!this.#isClosed) this.#start().catch(() => undefined)
    }, pauseMs).unref()
  }

  #tell(message: ToEngineProcess): void {
    const child = this.#child
    if (child?.connected === true) child.send(message, undefined, undefined, () => undefined)
  }

  #kill(): void {
    this.#child?.kill('SIGKILL')
  }

  #look(): void {
    const { pid } = this
    if (pid === undefined) return
    this.#tell({ kind: 'beat' })
    const silentMs = this.#silence.observe(this.#beat, processTimes(pid)?.coreWaitMs ?? 0, HEARTBEAT_MS)
    if ((ownBytes(pid) ?? 0) > this.#options.ceilingBytes) this.#why = 'memory'
    else if (silentMs > (this.#options.silentMs ?? RESPONSE_TIMEOUT_MS)) this.#why = 'silent'
    else return
    this.#kill()
  }
}
