import { SluiceError } from '../../base/index.ts'
import type { QueryResult } from '../../engine/index.ts'
import type { Terminal } from '../terminal.ts'
import { textOf, type OutputFormat } from './format.ts'

const EVERY_MS = 1000
/** The pause after an intermediate answer is at least this many times as long as the computation of the answer. */
const SHARE = 10

/** True if output on the screen can be overwritten. While a user types there, it must not be. */
export function canRedraw({ isOutputTty, env }: Pick<Terminal, 'isOutputTty' | 'env'>): boolean {
  return isOutputTty && env['TERM'] !== 'dumb'
}

/** Shows the intermediate answer every second, replacing the previous one. */
export class RunningAnswer {
  readonly #terminal: Terminal
  #shownLines = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #look: Promise<void> | undefined
  #failure: unknown
  #hasEnded = false

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** Starts showing answers. `output` creates the formatter of one intermediate answer, which must fit the terminal. */
  start(result: Pick<QueryResult, 'schema' | 'soFar'>, output: () => OutputFormat): void {
    const next = (waitMs: number): void => {
      this.#timer = setTimeout(() => {
        const startedMs = this.#terminal.nowMs()
        this.#look = this.#show(result, output()).then(
          () => {
            if (!this.#hasEnded) next(Math.max(EVERY_MS, SHARE * (this.#terminal.nowMs() - startedMs)))
          },
          (error: unknown) => {
            // An intermediate answer may exceed a limit that the final answer does not reach.
            if (!(error instanceof SluiceError)) this.#failure = error
          },
        )
      }, waitMs)
    }
    next(EVERY_MS)
  }

  async #show(result: Pick<QueryResult, 'schema' | 'soFar'>, output: OutputFormat): Promise<void> {
    const batches = result.soFar()
    if (batches === undefined) return
    let text = output.begin(result.schema)
    for await (const batch of batches) text += textOf(output.batch(batch))
    text += await output.end()
    if (this.#hasEnded) return
    const lines = text.split('\n').slice(0, -1)
    await this.#terminal.write(`${this.#toTop()}${lines.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`, 'drawn')
    this.#shownLines = lines.length
  }

  /** Returns the control sequence that moves to the first line of the shown answer. */
  #toTop(): string {
    return this.#shownLines === 0 ? '' : `\r\u001b[${this.#shownLines}A`
  }

  /** Clears the shown answer before other output. */
  wipe(): void {
    if (this.#shownLines === 0) return
    void this.#terminal.write(`${this.#toTop()}\u001b[J`, 'drawn')
    this.#shownLines = 0
  }

  /** Stops showing answers. Throws the error of an intermediate answer, if any. */
  async end(): Promise<void> {
    this.#hasEnded = true
    clearTimeout(this.#timer)
    this.wipe()
    await this.#look
    if (this.#failure !== undefined) throw this.#failure
  }
}
