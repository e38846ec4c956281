import { main } from '../../src/cli/main.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import { parseRfc3339 } from '../../src/base/index.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly error: string
}

/** Runs the command line in this process. */
export async function run(...argv: readonly string[]): Promise<Ran> {
  let out = ''
  let error = ''
  const terminal: Terminal = {
    write: async (text) => {
      out += text
    },
    writeError: (text) => {
      error += text
    },
    isOutputTty: false,
    isErrorTty: false,
    columns: 100,
    env: {},
    nowNs: () => parseRfc3339('2026-03-10T12:00:00Z') ?? 0n,
    nowMs: () => performance.now(),
    signal: new AbortController().signal,
  }
  const code = await main(argv, terminal)
  return { code, out, error }
}
