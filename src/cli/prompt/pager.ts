import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { writerOf } from '../process-terminal.ts'
import { guarded, type Terminal, type Written } from '../terminal.ts'
import { textOf } from '../output/index.ts'

/** A running pager. */
export interface Pager {
  /** Resolves when the text is written, or when the user has quit the pager. */
  readonly write: (text: string) => Promise<void>
  readonly hasEnded: () => boolean
  /** Resolves when the user has quit the pager, with a message if it could not run. */
  readonly end: () => Promise<string | undefined>
}

function isProgram(name: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/**
 * Returns the command of the pager: `$PAGER`, else `less` if installed; `undefined` for no pager, also if `$PAGER` is
 * empty.
 */
export function pagerCommand({ env, isOutputTty }: Pick<Terminal, 'env' | 'isOutputTty'>): string | undefined {
  if (!isOutputTty || env['TERM'] === 'dumb') return undefined
  const { PAGER, PATH = '' } = env
  // `less -FRX`: quits if the text fits on a screen, shows colours, and leaves the text on the screen.
  if (PAGER === undefined) return isProgram('less', PATH) ? 'less -FRX' : undefined
  return PAGER.trim() === '' ? undefined : PAGER
}

/** Runs a pager on the terminal. This process reads no keys until the pager ends. */
export function startPager(command: string): Pager {
  const { stdin } = process
  const isRaw = stdin.isRaw === true
  const ignore = (): void => {}
  // Ctrl-C is meant for the pager but reaches this process too.
  process.on('SIGINT', ignore)
  stdin.pause()
  if (isRaw) stdin.setRawMode(false)
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'] })
  const { stdin: pipe } = child
  let hasEnded = false
  const ended = new Promise<string | undefined>((resolve) => {
    const settle = (fault: string | undefined): void => {
      hasEnded = true
      process.off('SIGINT', ignore)
      if (isRaw) stdin.setRawMode(true)
      stdin.resume()
      resolve(fault)
    }
    const cannotRun = `The pager \`${command}\` cannot be run: set PAGER to another one, or to nothing for none.`
    child.once('error', () => settle(cannotRun))
    // A shell ends with one of these exit codes if it cannot run a command.
    child.once('close', (code) => settle(code === 126 || code === 127 ? cannotRun : undefined))
  })
  const write = writerOf(pipe)
  return {
    // A pager may end before it has read everything.
    write: (text) => Promise.race([write(text), ended]).then(ignore, ignore),
    hasEnded: () => hasEnded || pipe.destroyed,
    end: () => {
      pipe.end()
      return ended
    },
  }
}

/** Number of lines reserved for the run time and the next prompt. */
const LINES_BELOW = 2

/** Writes an answer to the terminal, or to a pager once it is higher than the screen. */
export class PagedOutput {
  readonly #terminal: Terminal
  readonly #start: (() => Pager) | undefined
  #held = ''
  #lines = 0
  #pager: Pager | undefined

  /** Without `start`, everything is written to the terminal at once. */
  constructor(terminal: Terminal, start: (() => Pager) | undefined) {
    this.#terminal = terminal
    this.#start = start
  }

  /** True if the user has quit the pager, so that the remaining output is not needed. */
  get hasEnded(): boolean {
    return this.#pager?.hasEnded() === true
  }

  async write(written: string | Uint8Array, how?: Written): Promise<void> {
    if (this.#start === undefined) return this.#terminal.write(written, how)
    // Text that is safe for the terminal is safe for the pager, which draws on the same terminal.
    const safe = guarded({ ...this.#terminal, write: (text) => this.#add(textOf(text)) })
    await safe.write(written, how)
  }

  async #add(text: string): Promise<void> {
    if (this.#pager !== undefined) return this.#pager.write(text)
    const { rows, columns } = this.#terminal
    this.#held += text
    for (const line of text.split('\n').slice(0, -1)) this.#lines += Math.max(1, Math.ceil(line.length / columns))
    if (this.#lines <= rows - LINES_BELOW || this.#start === undefined) return
    this.#pager = this.#start()
    await this.#pager.write(this.#held)
    this.#held = ''
  }

  /** Writes the remaining text and waits for the pager to end; returns a message if it could not run. */
  async end(): Promise<string | undefined> {
    if (this.#pager !== undefined) return this.#pager.end()
    await this.#terminal.write(this.#held, 'drawn')
    this.#held = ''
    return undefined
  }
}
