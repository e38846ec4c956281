import { readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { builtinModules, isBuiltin } from 'node:module'
import { rolldown, type InputOptions, type RolldownBuild } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'

export const root = resolve(import.meta.dirname, '..')
export const source = (path: string): string => join(root, 'src', path)

/** Files that are loaded by their address, mostly by processes and threads of their own, found beside the file that starts them. */
export const child = {
  child: source('backends/sql/drivers/child.ts'),
  'engine-child': source('backends/sql/drivers/engine-child.ts'),
  'engine-threads': source('workers/engine-threads.ts'),
  'engine-worker': source('workers/engine-worker.ts'),
  'ingest-worker': source('server/worker/ingest-worker.ts'),
  'query-worker': source('server/worker/query-worker.ts'),
}

/** Packages that become part of the bundle, since loading them file by file takes longer than running them. */
export const inlined =
  /^(@?chevrotain|luxon|re2js|fastest-levenshtein|@datadog\/sketches-js|protobufjs\/minimal|@protobufjs|long|commander|vscode-jsonrpc|string-width|strip-ansi|ansi-regex|get-east-asian-width)(\/|$)/

/**
 * CommonJS packages of `sluice/server`. They are in the library because the bundler of an application that left
 * them as they are could not resolve their `require` of modules of Node.
 */
const inlinedInLibrary = /^(yaml|protobufjs|snappyjs|prom-client|@opentelemetry\/api|tdigest|bintrees)(\/|$)/

export function isPackage(id: string): boolean {
  return /^[@a-z]/.test(id)
}

const options: InputOptions = {
  platform: 'neutral',
  resolve: { mainFields: ['module', 'main'], conditionNames: ['import', 'default'] },
  external: (id) =>
    isPackage(id) && !isBuiltin(id) && !id.startsWith('builtin:') && !inlined.test(id) && !inlinedInLibrary.test(id),
  // Leaves modules of Node outside too; its own modules, `builtin:…`, import what a package requires of them.
  plugins: [esmExternalRequirePlugin({ external: [/^node:/, ...builtinModules] })],
}

/** Each file of `src/entries` as a file of its name, which shares what it has in common with the others. */
export function bundleLibrary(): Promise<RolldownBuild> {
  const names = readdirSync(source('entries')).filter((name) => name.endsWith('.ts'))
  const entries = names.map((name) => [basename(name, '.ts'), source(`entries/${name}`)])
  return rolldown({ ...options, input: { ...Object.fromEntries(entries), ...child } })
}
