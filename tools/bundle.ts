import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import process from 'node:process'
import { rolldown, type InputOptions, type Plugin, type RolldownOutput } from 'rolldown'
import { buildConsole } from './console.ts'
import { licencesOf } from './licenses.ts'
import { bundleLibrary, child, inlined, isPackage, root, source } from './library.ts'

/**
 * Writes the package's JavaScript: `node tools/bundle.ts [folder]`, `dist` by default. Each file of `src/entries`
 * becomes a file of the same name, and shared modules become shared chunks. `cli` contains the command line: one file
 * with everything that `query` needs, the rest in chunks that are loaded on demand. `console` contains the web console.
 */
const out = resolve(process.argv[2] ?? join(root, 'dist'))

const firstNeeded = [
  'cli/main.ts',
  'cli/commands/query.ts',
  'sources/files/index.ts',
  'backends/columnar/index.ts',
].map(source)

/** Packages that are bundled into the command line, because loading their many files would delay its start. */
const inlinedInCommands = /^(zod|yaml|protobufjs|@protobufjs|long|snappyjs|hono|@hono\/node-server)(\/|$)/

const GUARD = 'node-version.js'

/**
 * Code that fails with a clear message on an unsupported version of Node. It uses only syntax that every version with
 * modules parses.
 */
function guard(): string {
  const { engines }: { readonly engines: { readonly node: string } } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const floor = engines.node.replace('>=', '')
  return `const found = typeof process === 'object' && process.versions && process.versions.node
const [major, minor] = String(found).split('.').map(Number)
const [oldest, oldestMinor] = '${floor}'.split('.').map(Number)
if (found && (major < oldest || (major === oldest && minor < oldestMinor)))
  throw new Error('sluice needs Node ${floor} or newer; this is ' + found + '. Install a newer one from https://nodejs.org.')
`
}

const startedMs = Date.now()
const imports = new Map<string, readonly string[]>()
const graph: Plugin = {
  name: 'graph',
  moduleParsed: (info) => {
    imports.set(info.id, info.importedIds)
  },
}

/** Returns all modules that these files import statically, directly or indirectly. */
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

const commands: InputOptions = {
  platform: 'node',
  external: (id) => isPackage(id) && !inlined.test(id) && !inlinedInCommands.test(id),
  plugins: [graph],
  // Turns off a warning: some modules are loaded on demand by one command and statically by another.
  checks: { ineffectiveDynamicImport: false },
}

rmSync(out, { recursive: true, force: true })
const library = await bundleLibrary()
const written: RolldownOutput[] = [
  await library.write({
    dir: out,
    format: 'esm',
    // The version check must run first: otherwise an older Node fails at a missing function, without a clear message.
    banner: ({ facadeModuleId }) => (facadeModuleId?.startsWith(source('entries/')) ? `import './${GUARD}'` : ''),
  }),
]
writeFileSync(join(out, GUARD), guard())

const main = await rolldown({
  ...commands,
  input: {
    main: source('cli/main.ts'),
    'load-data': source('cli/serve/load-data.ts'),
    'open-catalog': source('cli/serve/open-catalog.ts'),
    ...child,
  },
})
let needed: ReadonlySet<string> | undefined
written.push(
  await main.write({
    dir: join(out, 'cli'),
    format: 'esm',
    codeSplitting: { groups: [{ name: 'start', test: (id) => (needed ??= reachable(firstNeeded)).has(id) }] },
  }),
)
for (const name of ['part-worker', 'unpack-worker']) {
  const worker = await rolldown({ ...commands, input: { [name]: source(`sources/files/parts/${name}.ts`) } })
  written.push(await worker.write({ dir: join(out, 'cli'), format: 'esm', codeSplitting: false }))
}
const modules = written.flatMap(({ output }) => output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])))
const ofPage = await buildConsole(join(out, 'console'))
writeFileSync(join(out, 'THIRD-PARTY-LICENSES.txt'), licencesOf([...modules, ...ofPage]))
// In a clone of the repository, `bin/sluice` runs the bundle only if it is newer than these sources.
const made = [...imports.keys()].filter((id) => id.startsWith(source(''))).map((id) => relative(root, id))
writeFileSync(join(out, 'cli/made-of.json'), JSON.stringify({ ms: startedMs, files: [...made, 'package-lock.json'] }))
