import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import process from 'node:process'

/**
 * `npm run dev [-- OPTIONS OF serve]`: serves demo data and restarts after every change of the source. Runs the fast
 * tests at first, then those that a change affects. Ctrl+C ends both.
 */
const root = resolve(import.meta.dirname, '..')
const bin = (name: string): string => resolve(root, 'node_modules/.bin', name)
const isWindows = process.platform === 'win32'

const service = ['watch', '--clear-screen=false', 'src/cli/main.ts', 'serve', '--demo', ...process.argv.slice(2)]
const tests = ['watch', '--no-clearScreen', '--tagsFilter=!slow']
// Vitest gets the terminal because it reads keys; the server does not.
const children = [
  spawn(bin('tsx'), service, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], shell: isWindows }),
  spawn(bin('vitest'), tests, { cwd: root, stdio: 'inherit', shell: isWindows }),
]
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
for (const child of children)
  child.on('exit', (code) => {
    for (const other of children) other.kill('SIGTERM')
    process.exitCode ??= code ?? 0
  })
