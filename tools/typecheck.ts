import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'

/**
 * Checks all types: `node tools/typecheck.ts`. The compiler has no options for single folders. So it checks the program
 * with `noUncheckedIndexedAccess`, and the kernel folders of `tsconfig.kernels.json` again without it; for these
 * folders, the second run counts. Listing a folder that has no such errors is an error. The console and the site are
 * checked with configurations of their own, with browser types instead of Node's; only their own files count there.
 */
const root = resolve(import.meta.dirname, '..')
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
const listed = readFileSync(join(root, 'tsconfig.kernels.json'), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '')
const kernels: readonly string[] = JSON.parse(listed).include

function kernelOf(diagnostic: string): string | undefined {
  const file = diagnostic.slice(0, diagnostic.indexOf('('))
  return kernels.find((kernel) => file === kernel || file.startsWith(`${kernel}/`))
}

/** Runs the compiler and returns its errors, each with its explanatory lines. */
function check(config: string): Promise<readonly string[]> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [compiler, '-p', config, '--pretty', 'false'], { cwd: root })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    child.stderr.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    child.on('error', fail).on('close', (code) => {
      if (code !== 0 && text === '') fail(new Error(`The compiler ended with ${code} and said nothing.`))
      else done(text.split(/\n(?!\s)/).filter((line) => line.trim() !== ''))
    })
  })
}

const pageFolders = ['src/console/', 'test/console/', 'site/', 'test/site/']
const [strict = [], loose = [], ...pages] = await Promise.all(
  ['tsconfig.json', 'tsconfig.kernels.json', ...pageFolders.map((folder) => `${folder}tsconfig.json`)].map(check),
)
const found = [
  ...pages.flatMap((page, i) => page.filter((diagnostic) => diagnostic.startsWith(pageFolders[i] ?? ''))),
  ...strict.filter((diagnostic) => kernelOf(diagnostic) === undefined),
  ...loose.filter((diagnostic) => kernelOf(diagnostic) !== undefined || !strict.includes(diagnostic)),
]
const needless = kernels.filter((kernel) => !strict.some((diagnostic) => kernelOf(diagnostic) === kernel))
if (found.length === 0) found.push(...needless.map((kernel) => `tsconfig.kernels.json: ${kernel} needs no exemption`))
for (const diagnostic of found) console.log(diagnostic.trimEnd())
process.exitCode = found.length === 0 ? 0 : 1
