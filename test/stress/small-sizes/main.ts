import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { StressRun } from '../run.ts'

/**
 * Runs the fuzzers over source code whose constants have the values of `small.ts`. `--only NAME,NAME` selects fuzzers,
 * as for `npm run fuzz`.
 */
export const stress: StressRun = {
  seconds: 60,
  options: { only: 'value' },
  async run({ seed, seconds, values }) {
    const only = values.get('only')
    // Worker threads get the small values only if the process starts with the `--import` hook.
    const { status } = spawnSync(
      process.execPath,
      [
        '--import',
        fileURLToPath(new URL('register.ts', import.meta.url)),
        'src/cli/main.ts',
        'fuzz',
        '--seed',
        `${seed}`,
        '--seconds',
        `${seconds}`,
        ...(only === undefined ? [] : ['--only', only]),
      ],
      { stdio: 'inherit' },
    )
    return status ?? 1
  },
}
