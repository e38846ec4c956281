/** Generated rows and queries, asked of a running server of the reference and of this engine. README.md has the options. */
import { differential } from './cli.ts'

process.exitCode = await differential(process.argv.slice(2), console.log)
