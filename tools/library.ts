import { readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { builtinModules, isBuiltin } from 'node:module'
import { rolldown, type InputOptions, type RolldownBuild } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'

export const root = resolve(import.meta.dirname, '..')
export const source = (path: string): string => join(root, 'src', path)

/**
 * Files that are started as threads or child processes by path. In the bundle, they must stay next to the file that
 * starts them.
 */
export const child = {
  child: source('backends/sql/drivers/child.ts'),
  'engine-child': source('backends/sql/drivers/engine-child.ts'),
  'engine-threads': source('workers/engine-threads.ts'),
  'engine-worker': source('workers/engine-worker.ts'),
  'ingest-worker': source('server/worker/ingest-worker.ts'),
  'query-worker': source('server/worker/query-worker.ts'),
}

/** Packages that are bundled, because loading their many files takes longer than running them. */
export const inlined =
  /^(@?chevrotain|luxon|re2js|fastest-levenshtein|@datadog\/sketches-js|protobufjs\/minimal|@protobufjs|long|commander|vscode-jsonrpc|string-width|strip-ansi|ansi-regex|get-east-asian-width)(\/|$)/

/**
 * CommonJS packages of `sluice/server`. They are bundled because an application's bundler could otherwise not resolve
 * their `require` of Node's modules.
 */
const inlinedInLibrary = /^(yaml|protobufjs|snappyjs|prom-client|@opentelemetry\/api|tdigest|bintrees|ws)(\/|$)/

export function isPackage(id: string): boolean {
  return /^[@a-z]/.test(id)
}

const options: InputOptions = {
  platform: 'neutral',
  resolve: { mainFields: ['module', 'main'], conditionNames: ['import', 'default'] },
  external: (id) =>
    isPackage(id) && !isBuiltin(id) && !id.startsWith('builtin:') && !inlined.test(id) && !inlinedInLibrary.test(id),
  // Defines both variables so that `ws` does not look for its optional native packages. The plugin resolves `require`
  // calls of CommonJS packages to modules named `builtin:…`, and leaves Node's own modules external.
  transform: { define: { 'process.env.WS_NO_BUFFER_UTIL': '"1"', 'process.env.WS_NO_UTF_8_VALIDATE': '"1"' } },
  plugins: [esmExternalRequirePlugin({ external: [/^node:/, ...builtinModules] })],
}

/** Bundles each file of `src/entries` as a file of its name; shared modules become shared chunks. */
export function bundleLibrary(): Promise<RolldownBuild> {
  const names = readdirSync(source('entries')).filter((name) => name.endsWith('.ts'))
  const entries = names.map((name) => [basename(name, '.ts'), source(`entries/${name}`)])
  return rolldown({ ...options, input: { ...Object.fromEntries(entries), ...child } })
}
