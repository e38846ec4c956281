import { main } from '../../src/cli/main.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import { parseRfc3339 } from '../../src/base/index.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly error: string
}

/** Runs the command line in this process. */
export function run(...argv: readonly string[]): Promise<Ran> {
  return runOn({}, ...argv)
}

/** Runs it on a terminal that is other than a pipe without an environment. */
export async function runOn(given: Partial<Terminal>, ...argv: readonly string[]): Promise<Ran> {
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
    ...given,
  }
  const code = await main(argv, terminal)
  return { code, out, error }
}
