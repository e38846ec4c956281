import { rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import process from 'node:process'
import { rolldown, type Plugin } from 'rolldown'

/**
 * Writes the command line in few files, for commands that people wait for: `node tools/bundle.ts [folder]`, `dist/bundle` unless
 * given. Whatever `query` needs is one file; the rest is loaded when it is needed.
 */
const root = resolve(import.meta.dirname, '..')
const out = resolve(process.argv[2] ?? join(root, 'dist/bundle'))
const source = (path: string): string => join(root, 'src', path)

/** Commands in the bundle; `bin/sluice.cjs` knows the same names. The others are started seldom or stay long. */
const commands = ['query', 'promql', 'explain', 'fmt', 'lint', 'convert']
const firstNeeded = ['cli/main.ts', 'cli/commands/query.ts', 'backends/columnar/index.ts'].map(source)
/** Files that threads run: one file each. */
const alone = { 'scan-worker': source('cli/scan/scan-worker.ts') }

const startedMs = Date.now()
const imports = new Map<string, readonly string[]>()
let needed: ReadonlySet<string> | undefined

function isNeededFirst(id: string): boolean {
  if (needed === undefined) {
    const found = new Set<string>()
    const add = (module: string): void => {
      if (found.has(module)) return
      found.add(module)
      for (const next of imports.get(module) ?? []) add(next)
    }
    firstNeeded.forEach(add)
    needed = found
  }
  return needed.has(id)
}

const graph: Plugin = {
  name: 'graph',
  moduleParsed: (info) => {
    imports.set(info.id, info.importedIds)
  },
}

function isExternal(id: string, importer: string | undefined): boolean {
  if (id === 'better-sqlite3' || id.startsWith('@duckdb/')) return true
  const command = importer === source('cli/commands/index.ts') ? /^\.\/(.*)\.ts$/.exec(id)?.[1] : undefined
  return command !== undefined && !commands.includes(command)
}

const common = {
  platform: 'node',
  external: isExternal,
  // Some modules are loaded late by one command and at once by another.
  checks: { ineffectiveDynamicImport: false },
} as const

rmSync(out, { recursive: true, force: true })
const main = await rolldown({ ...common, input: { main: source('cli/main.ts') }, plugins: [graph] })
await main.write({ dir: out, format: 'esm', codeSplitting: { groups: [{ name: 'start', test: isNeededFirst }] } })
for (const [name, input] of Object.entries(alone)) {
  const bundle = await rolldown({ ...common, input: { [name]: input }, plugins: [graph] })
  await bundle.write({ dir: out, format: 'esm', codeSplitting: false })
}
// A clone runs the bundle only while it is younger than what it was made of.
const made = [...imports.keys()].filter((id) => id.startsWith(source(''))).map((id) => relative(root, id))
writeFileSync(join(out, 'made-of.json'), JSON.stringify({ ms: startedMs, files: [...made, 'package-lock.json'] }))
