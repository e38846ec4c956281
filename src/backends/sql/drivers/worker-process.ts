import { fork, type ChildProcess } from 'node:child_process'
import { ownBytes } from '../../../system/index.ts'
import type { FromChild, ToChild } from './messages.ts'

type Waiter = { readonly resolve: (message: FromChild) => void; readonly reject: (error: Error) => void }

/** Thrown when the child process has ended or was killed. */
export class ProcessGone extends Error {
  readonly signal: string

  constructor(signal: string) {
    super(`the process ended: ${signal}`)
    this.signal = signal
  }
}

/** A child process of the pool, which answers one message at a time. */
export class WorkerProcess {
  readonly #child: ChildProcess
  readonly #answers: FromChild[] = []
  #waiter: Waiter | undefined
  #gone: ProcessGone | undefined
  /** Memory of the process before its first statement, bytes. */
  idleBytes = 0

  constructor(path: string) {
    // During development, the TypeScript source runs without compilation.
    const entry = import.meta.url.endsWith('.ts') ? './child.ts' : './child.js'
    this.#child = fork(new URL(entry, import.meta.url), [], {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child.on('message', (message) => this.#receive(message as FromChild))
    this.#child.on('exit', (code, signal) => this.#leave(new ProcessGone(signal ?? `exit ${code}`)))
    this.#child.on('error', () => this.#leave(new ProcessGone('no start')))
    this.send({ kind: 'open', path })
  }

  get isAlive(): boolean {
    return this.#gone === undefined
  }

  /** Sets whether this child process keeps the program from ending. */
  hold(isHeld: boolean): void {
    if (isHeld) {
      this.#child.ref()
      this.#child.channel?.ref()
    } else {
      this.#child.unref()
      this.#child.channel?.unref()
    }
  }

  send(message: ToChild): void {
    if (this.isAlive && this.#child.connected) this.#child.send(message)
  }

  /** Resolves to the next answer of the child process. Throws ProcessGone when the process ends first. */
  answer(): Promise<FromChild> {
    const known = this.#answers.shift()
    if (known !== undefined) return Promise.resolve(known)
    if (this.#gone !== undefined) return Promise.reject(this.#gone)
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject }
    })
  }

  memoryBytes(): number | undefined {
    return this.#child.pid === undefined ? undefined : ownBytes(this.#child.pid)
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #receive(message: FromChild): void {
    const waiter = this.#waiter
    this.#waiter = undefined
    if (waiter === undefined) this.#answers.push(message)
    else waiter.resolve(message)
  }

  #leave(reason: ProcessGone): void {
    this.#gone ??= reason
    this.#waiter?.reject(reason)
    this.#waiter = undefined
  }
}
