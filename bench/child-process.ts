import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** The end of a process before it answered. */
export interface Crash {
  readonly kind: 'crashed'
  readonly how: string
}

/** Milliseconds in which a process must close its files. */
const CLOSING_MS = 30_000

/** A child process that answers each message with one message. Its memory is thus measured separately. */
export class Child<Answer> {
  readonly #process: ChildProcess

  constructor(module: string, options: unknown) {
    this.#process = fork(module, [JSON.stringify(options)], {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    })
  }

  /** Resolves to the answer to a message, or to how the process ended instead. */
  async ask(message: object): Promise<Answer | Crash> {
    const told = this.next()
    this.#process.send(message)
    return told
  }

  /** Resolves to the next message of the process, or to how it ended. */
  next(): Promise<Answer | Crash> {
    const child = this.#process
    return new Promise((resolve) => {
      let errors = ''
      const read = (chunk: Buffer): void => void (errors = (errors + chunk.toString()).slice(-2000))
      const told = (message: unknown): void => end(message as Answer)
      const died = (code: number | null, signal: string | null): void =>
        end({
          kind: 'crashed',
          how: `${signal ?? `exit ${String(code)}`} ${/^.*(?:FATAL|Error).*$/m.exec(errors)?.[0] ?? ''}`.trim(),
        })
      const end = (what: Answer | Crash): void => {
        child.stderr?.off('data', read)
        child.off('message', told)
        child.off('close', died)
        resolve(what)
      }
      child.stderr?.on('data', read)
      child.once('message', told)
      child.once('close', died)
    })
  }

  /** Disconnects the process, which then closes its files and ends. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const gone = once(this.#process, 'exit')
    this.#process.disconnect()
    const late = setTimeout(() => this.#process.kill('SIGKILL'), CLOSING_MS)
    await gone
    clearTimeout(late)
  }
}
