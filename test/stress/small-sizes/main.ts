import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { StressRun } from '../run.ts'

/** Runs the fuzzers over sources with the sizes of `small.ts`. `--only NAME,NAME` chooses fuzzers, as for `npm run fuzz`. */
export const stress: StressRun = {
  seconds: 60,
  options: { only: 'value' },
  async run({ seed, seconds, values }) {
    const only = values.get('only')
    // A process of its own, so that its worker threads read the small sizes too.
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
