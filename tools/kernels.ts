import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { main } from 'assemblyscript/asc'
import { source } from './library.ts'

/**
 * Compiles `src/kernels/assembly` into `src/kernels/module.ts`: `node tools/kernels.ts`. With `--check` it writes
 * nothing, and the exit code is 1 if the file is out of date. It must be a process of its own, because the compiler
 * changes built-in prototypes.
 */
const kernels = source('kernels')

/** Compiler options: no runtime and no garbage collector, since kernels allocate nothing. */
const options = ['--runtime', 'stub', '-O3', '--noAssert', '--enable', 'simd', '--importMemory', '--noExportMemory']

function read(name: string, folder: string): string | null {
  try {
    return readFileSync(join(folder, name), 'utf8')
  } catch {
    // Not an error: the compiler tries several paths for each import.
    return null
  }
}

let module: Uint8Array | undefined
const { error } = await main(['assembly/index.ts', '--baseDir', kernels, '--outFile', 'module.wasm', ...options], {
  readFile: read,
  writeFile: (_name, contents) => {
    if (typeof contents !== 'string') module = contents
  },
  listFiles: () => null,
  stderr: process.stderr,
})
if (error !== null || module === undefined) throw new Error('The kernels do not compile.', { cause: error })

const path = join(kernels, 'module.ts')
const text = `/** The compiled kernels, base64. Written by \`npm run build:kernels\`. */
export const moduleText =
  '${Buffer.from(module).toString('base64')}'
`
if (!process.argv.includes('--check')) writeFileSync(path, text)
else if (readFileSync(path, 'utf8') !== text) {
  console.error('src/kernels/module.ts is not what its sources compile to; run npm run build:kernels.')
  process.exitCode = 1
}
