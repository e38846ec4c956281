/** The fuzzers over sources with small sizes. `npm run trial -- small-sizes [options of fuzz]` */
import { spawnSync } from 'node:child_process'
import process from 'node:process'

// A process of its own: its worker threads read small sizes too.
const program = ['--import', './test/sizes/register.ts', 'src/cli/main.ts', 'fuzz', ...process.argv.slice(2)]
process.exitCode = spawnSync(process.execPath, program, { stdio: 'inherit' }).status ?? 1
