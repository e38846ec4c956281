import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly engines: { readonly node: string }
  readonly exports: Readonly<Record<string, unknown>>
}

export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest

/** Links packages from this repository's `node_modules` into the `node_modules` of a project. */
export function linkPackages(project: string, names: readonly string[]): void {
  for (const name of names) {
    const target = join(project, 'node_modules', name)
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), target)
  }
}

/**
 * Builds the source and copies the files that `npm pack` would publish into `node_modules/sluice` of a project. Returns
 * the path of `node_modules/sluice`. Dependencies are not installed.
 */
export function installPackage(project: string, options: { readonly withTypes: boolean }): string {
  const made = join(project, 'made')
  const run = (program: string, ...args: readonly string[]): string =>
    execFileSync(program, args, { cwd: made, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  mkdirSync(made, { recursive: true })
  for (const name of ['package.json', 'bin', 'grammar', 'docs', 'LICENSE', 'README.md'])
    cpSync(join(root, name), join(made, name), { recursive: true })
  run(process.execPath, join(root, 'tools/bundle.ts'), join(made, 'dist'))
  if (options.withTypes) run(process.execPath, join(root, 'tools/types.ts'), join(made, 'dist/types'))
  const [packed] = JSON.parse(run('npm', 'pack', '--dry-run', '--json')) as [
    { readonly files: readonly { readonly path: string }[] },
  ]
  const installed = join(project, 'node_modules/sluice')
  for (const { path } of packed.files) cpSync(join(made, path), join(installed, path))
  return installed
}

/**
 * Installs the package with its dependencies, and the `node-*` packages with a Node binary, into a project. Returns the
 * path of the command-line launcher.
 */
export function packagedCli(project: string): string {
  const installed = installPackage(project, { withTypes: false })
  const nodes = readdirSync(join(root, 'node_modules')).filter((name) => /^node-(bin-)?(linux|darwin|win)-/.test(name))
  linkPackages(project, [...Object.keys(manifest.dependencies), ...nodes])
  return join(installed, 'bin/sluice.cjs')
}
