import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/** Makes the command line in a folder as the package brings it, from the source as it is; gives its launcher. */
export function packagedCli(folder: string): string {
  const made = join(folder, 'package')
  mkdirSync(join(made, 'bin'), { recursive: true })
  execFileSync(process.execPath, [join(root, 'tools/bundle.ts'), join(made, 'dist/bundle')])
  // What a package would find around it: the Node that npm brought.
  symlinkSync(join(root, 'node_modules'), join(made, 'node_modules'))
  copyFileSync(join(root, 'package.json'), join(made, 'package.json'))
  const cli = join(made, 'bin/sluice.cjs')
  copyFileSync(join(root, 'bin/sluice.cjs'), cli)
  return cli
}
