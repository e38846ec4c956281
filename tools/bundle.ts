import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { rolldown, type InputOptions, type Plugin } from 'rolldown'

/**
 * Writes the package's JavaScript: `node tools/bundle.ts [folder]`, `dist` unless given. Each file of `src/entries` becomes a file
 * of its name and shares what it has in common with the others; the command line is in `cli`, whatever `query` needs in one file
 * there and the rest loaded when it is needed.
 */
const root = resolve(import.meta.dirname, '..')
const out = resolve(process.argv[2] ?? join(root, 'dist'))
const source = (path: string): string => join(root, 'src', path)

const entries = readdirSync(source('entries')).filter((name) => name.endsWith('.ts'))
const firstNeeded = ['cli/main.ts', 'cli/commands/query.ts', 'backends/columnar/index.ts'].map(source)
/** Files that threads and processes run, found beside the file that starts them. */
const child = { child: source('backends/sql/drivers/child.ts') }
const scanWorker = { 'scan-worker': source('sources/files/scan/scan-worker.ts') }

/** Packages that become part of the bundle, since loading them file by file takes longer than running them. */
const inlined = /^(@?chevrotain|luxon|re2js|fastest-levenshtein|@datadog\/sketches-js|commander|vscode-jsonrpc)(\/|$)/
/** As these, where a command is waited for. */
const inlinedInCommands = /^(zod|yaml|protobufjs|@protobufjs|long|snappyjs|hono|@hono\/node-server)(\/|$)/

const startedMs = Date.now()
const imports = new Map<string, readonly string[]>()
const graph: Plugin = {
  name: 'graph',
  moduleParsed: (info) => {
    imports.set(info.id, info.importedIds)
  },
}

/** Everything that the files load at once. */
function reachable(from: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (module: string): void => {
    if (found.has(module)) return
    found.add(module)
    for (const next of imports.get(module) ?? []) add(next)
  }
  from.forEach(add)
  return found
}

function isPackage(id: string): boolean {
  return /^[@a-z]/.test(id)
}

const library: InputOptions = {
  platform: 'neutral',
  resolve: { mainFields: ['module', 'main'], conditionNames: ['import', 'default'] },
  external: (id) => id.startsWith('node:') || (isPackage(id) && !inlined.test(id)),
}
const commands: InputOptions = {
  platform: 'node',
  external: (id) => isPackage(id) && !inlined.test(id) && !inlinedInCommands.test(id),
  plugins: [graph],
  // Some modules are loaded late by one command and at once by another.
  checks: { ineffectiveDynamicImport: false },
}

rmSync(out, { recursive: true, force: true })
const input = Object.fromEntries(entries.map((name) => [basename(name, '.ts'), source(`entries/${name}`)]))
const entryBundle = await rolldown({ ...library, input: { ...input, ...child } })
await entryBundle.write({ dir: out, format: 'esm' })

const main = await rolldown({ ...commands, input: { main: source('cli/main.ts'), ...child } })
let needed: ReadonlySet<string> | undefined
await main.write({
  dir: join(out, 'cli'),
  format: 'esm',
  codeSplitting: { groups: [{ name: 'start', test: (id) => (needed ??= reachable(firstNeeded)).has(id) }] },
})
const worker = await rolldown({ ...commands, input: scanWorker })
await worker.write({ dir: join(out, 'cli'), format: 'esm', codeSplitting: false })
// A clone runs the bundle only while it is younger than what it was made of.
const made = [...imports.keys()].filter((id) => id.startsWith(source(''))).map((id) => relative(root, id))
writeFileSync(join(out, 'cli/made-of.json'), JSON.stringify({ ms: startedMs, files: [...made, 'package-lock.json'] }))
