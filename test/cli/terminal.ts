import { main } from '../../src/cli/main.ts'
import { textOf } from '../../src/cli/output/format.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import { parseRfc3339 } from '../../src/base/index.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly error: string
}

/** Returns a terminal that behaves like a pipe without an environment, except for the settings in `given`. */
export function testTerminal(given: Partial<Terminal> = {}) {
  const told = { out: '', error: '' }
  const terminal: Terminal = {
    write: async (text) => {
      told.out += textOf(text)
    },
    writeError: (text) => {
      told.error += text
    },
    isInputTty: false,
    isOutputTty: false,
    isErrorTty: false,
    columns: 100,
    rows: 24,
    // Tests must not read the user's own configuration.
    env: { XDG_CONFIG_HOME: '/nowhere' },
    nowNs: () => parseRfc3339('2026-03-10T12:00:00Z') ?? 0n,
    nowMs: () => performance.now(),
    signal: new AbortController().signal,
    onHangup: () => () => undefined,
    ...given,
  }
  return { terminal, told }
}

/** Runs the command line in this process. */
export function run(...argv: readonly string[]): Promise<Ran> {
  return runOn({}, ...argv)
}

/** Runs the command line on a terminal like `testTerminal`, with the settings in `given`. */
export async function runOn(given: Partial<Terminal>, ...argv: readonly string[]): Promise<Ran> {
  const { terminal, told } = testTerminal(given)
  const code = await main(argv, terminal)
  return { code, ...told }
}
