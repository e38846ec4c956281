import { appendFileSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { makeFolders } from '../../store/durable/index.ts'
import type { Terminal } from '../terminal.ts'
import type { Prompt } from './prompt.ts'
import { isUnfinished } from './unfinished.ts'

const FIRST = 'sluice> '
const NEXT = '     -> '
const KEPT_LINES = 1000

/** Returns the path of the user's history. */
export function historyPath({ env }: Pick<Terminal, 'env'>): string {
  const base = env['XDG_STATE_HOME'] ?? ''
  return join(base === '' ? join(env['HOME'] ?? homedir(), '.local', 'state') : base, 'sluice', 'history')
}

/** Reads the history, newest first. */
function readHistory(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-KEPT_LINES).toReversed()
  } catch {
    return []
  }
}

/** Appends a line to the history file. It is not an error if the home folder is read-only. */
function keep(path: string, text: string): void {
  try {
    makeFolders(dirname(path))
    appendFileSync(path, `${text.replaceAll(/\s*\n\s*/g, ' ')}\n`, { mode: 0o600 })
  } catch {
    // The line stays only in the history of this session.
  }
}

export interface Typed {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** Reads lines until the end of input, Ctrl-D or `\q`; Ctrl-C cancels the running query, or clears the line. */
export async function readPrompt(prompt: Prompt, { input, output }: Typed, terminal: Terminal): Promise<void> {
  const path = historyPath(terminal)
  const lines = createInterface({
    input,
    output,
    terminal: true,
    prompt: FIRST,
    history: readHistory(path),
    historySize: KEPT_LINES,
    removeHistoryDuplicates: true,
    completer: (line: string) => {
      const [items, word] = prompt.complete(held + line)
      return [[...items], word]
    },
  })
  let held = ''
  let running: AbortController | undefined
  const reset = (): void => {
    held = ''
    lines.setPrompt(FIRST)
    lines.prompt()
  }
  lines.on('SIGINT', () => {
    if (running !== undefined) return running.abort()
    output.write('\n')
    lines.write(null, { ctrl: true, name: 'u' })
    reset()
  })
  const take = async (line: string): Promise<void> => {
    const text = held + line
    if (!text.trimStart().startsWith('\\') && isUnfinished(text)) {
      held = `${text.replace(/\\$/, '')}\n`
      lines.setPrompt(NEXT)
      lines.prompt()
      return
    }
    if (text.trim() !== '') keep(path, text.trim())
    running = new AbortController()
    try {
      await prompt.take(text, running.signal)
    } finally {
      running = undefined
    }
    if (prompt.hasEnded) lines.close()
    else reset()
  }
  // Lines that are pasted together are answered one after the other.
  let last = Promise.resolve()
  lines.on('line', (line) => {
    last = last.then(() => (prompt.hasEnded ? undefined : take(line)))
    last.catch(() => lines.close())
  })
  lines.prompt()
  await new Promise<void>((resolve) => {
    lines.once('close', resolve)
  })
  await last
}
