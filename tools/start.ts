import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { start } from '../src/cli/main.ts'
import { buildConsole } from './console.ts'
import { root } from './library.ts'

/**
 * `npm start [-- OPTIONS OF serve]`: serves demo data with the console, which is built first if a source is newer than
 * the last build.
 */
const out = join(root, 'dist/console')

function newestMs(folder: string): number {
  const times = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs)
  return Math.max(0, ...times)
}

const builtMs = existsSync(join(out, 'index.html')) ? statSync(join(out, 'index.html')).mtimeMs : -Infinity
if (newestMs(join(root, 'src')) > builtMs) await buildConsole(out)

process.argv.splice(2, 0, 'serve', '--demo')
start()
