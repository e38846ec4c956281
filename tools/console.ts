import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown, type OutputChunk, type Plugin } from 'rolldown'
import { root, source } from './library.ts'

/**
 * Scripts of the console, in bundles that share no chunks. A page loads its script and the worker of its server first:
 * each of them repeats a few kilobytes of the other, so that neither waits for a chain of small files.
 */
const bundles: readonly Readonly<Record<string, string>>[] = [
  { main: source('console/app/main.tsx') },
  { 'server-worker': source('console/data/remote/worker.ts') },
  // The engine over files contains the language.
  {
    'files-worker': source('console/data/local/worker.ts'),
    'language-worker': source('console/language/worker.ts'),
  },
]

type LeftOut = readonly [module: RegExp, code: string]

/**
 * Leaves out the Protocol Buffers code of quantile sketches. It serializes a sketch for another thread, but a page runs
 * a query in a single thread.
 */
export const sketchesOfThreads: LeftOut = [
  /sketches-js\/dist\/ddsketch\/proto\/compiled\.js$/,
  "throw new Error('A page serializes no sketches.')",
]

/** Modules that the page imports indirectly and never runs, each with its replacement. */
const leftOut: readonly LeftOut[] = [
  sketchesOfThreads,
  // LogQL stages and their Go templates belong to the standard functions, but the console does not run LogQL over
  // files.
  [
    /src\/functions\/logql\/stages\.ts$/,
    "export function compileStages() { throw new Error('The console over files runs no LogQL.') }",
  ],
]

function leaveOut(modules: readonly LeftOut[]): Plugin {
  return {
    name: 'leave-out',
    load: {
      filter: { id: modules.map(([module]) => module) },
      handler: (id) => modules.find(([module]) => module.test(id))?.[1],
    },
  }
}

/** Returns a hash of a text, for a file name that changes with its content. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8)
}

/** Concatenates the style sheets of a folder in alphabetical order. */
export function readStyles(folder: string): string {
  return readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
}

/** Returns the styles of the console, after those of the chart library. */
function styles(): string {
  const library = readFileSync(join(root, 'node_modules/uplot/dist/uPlot.min.css'), 'utf8')
  return `${library}\n${readStyles(source('console/styles'))}`
}

/**
 * Bundles scripts of pages and their threads into `assets/` of a folder, with a content hash in each name, and returns
 * the chunks. Each of `modules` is replaced by the code given with it.
 */
export async function bundlePages(
  input: Readonly<Record<string, string>>,
  out: string,
  modules: readonly LeftOut[],
): Promise<readonly OutputChunk[]> {
  const bundle = await rolldown({
    input,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    resolve: { conditionNames: ['production', 'browser', 'import', 'default'] },
    plugins: [leaveOut(modules)],
    checks: { ineffectiveDynamicImport: false },
  })
  const { output } = await bundle.write({
    dir: out,
    format: 'esm',
    minify: true,
    sourcemap: false,
    // One chunk for all that several pages of the console use, in place of one for each set of pages.
    codeSplitting: { groups: [{ name: 'shared', test: /[\\/]src[\\/]console[\\/]/, minShareCount: 2 }] },
    entryFileNames: 'assets/[name]-[hash].js',
    chunkFileNames: 'assets/[name]-[hash].js',
  })
  await bundle.close()
  return output.filter((file): file is OutputChunk => file.type === 'chunk')
}

/** Returns the file of an entry in the chunks of `bundlePages`, relative to the folder. Throws if there is none. */
export function entryFile(chunks: readonly OutputChunk[], name: string): string {
  const entry = chunks.find((chunk) => chunk.isEntry && chunk.name === name)
  if (entry === undefined) throw new Error(`There is no entry ${name}.`)
  return entry.fileName
}

/**
 * Builds the console into a folder of static files: `index.html`, and `assets/` with a content hash in each name.
 * Returns the ids of all bundled modules.
 */
export async function buildConsole(out: string): Promise<readonly string[]> {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(join(out, 'assets'), { recursive: true })
  const chunks = (await Promise.all(bundles.map((input) => bundlePages(input, out, leftOut)))).flat()
  const css = styles()
  const cssName = `assets/style-${hashOf(css)}.css`
  writeFileSync(join(out, cssName), css)
  const preloads = (chunks.find(({ name, isEntry }) => isEntry && name === 'main')?.imports ?? [])
    .map((file) => `<link rel="modulepreload" href="${file}">`)
    .join('\n    ')
  const page = readFileSync(source('console/index.html'), 'utf8')
    .replace('{{style}}', cssName)
    .replace('{{preloads}}', preloads)
    .replace('{{main}}', entryFile(chunks, 'main'))
    .replace('{{server-worker}}', entryFile(chunks, 'server-worker'))
    .replace('{{files-worker}}', entryFile(chunks, 'files-worker'))
    .replace('{{language-worker}}', entryFile(chunks, 'language-worker'))
  writeFileSync(join(out, 'index.html'), page)
  return chunks.flatMap(({ moduleIds }) => moduleIds)
}

/** Sizes of a built console, bytes after gzip. */
export interface ConsoleSizes {
  /** Files that a page loads to show the first rows of a server. */
  readonly firstRows: number
  readonly language: number
  /** Languages besides the log language, with the page's help for LogQL, loaded with their first use. */
  readonly otherLanguages: number
  /** The query engine for local files. The part that it shares with the editor is included. */
  readonly engine: number
  /** All files except those that only the engine or an additional language needs. */
  readonly withoutEngine: number
}

/** Measures the files that `buildConsole` has written. */
export function sizesOfConsole(out: string): ConsoleSizes {
  const assets = new Map(
    readdirSync(join(out, 'assets')).map((name) => {
      const bytes = readFileSync(join(out, 'assets', name))
      const imports = Array.from(bytes.toString().matchAll(/(?:from|import)"\.\/([^"]+)"/g), ([, file]) => file ?? '')
      return [name, { imports, packed: gzipSync(bytes, { level: 9 }).length }] as const
    }),
  )
  const namesOf = (...starts: readonly string[]): ReadonlySet<string> => {
    const found = new Set<string>()
    const add = (name: string): void => {
      if (found.has(name)) return
      found.add(name)
      assets.get(name)?.imports.forEach(add)
    }
    for (const start of starts) {
      const files = [...assets.keys()].filter((name) => name.startsWith(`${start}-`))
      if (files.length === 0) throw new Error(`The console has no file ${start}.`)
      files.forEach(add)
    }
    return found
  }
  const sum = (names: Iterable<string>): number =>
    Array.from(names, (name) => assets.get(name)?.packed ?? 0).reduce((total, packed) => total + packed, 0)
  const others = namesOf('main', 'language-worker', 'server-worker')
  const engine = namesOf('files-worker')
  const otherLanguages = [...namesOf('traceql', 'logql')].filter((name) => !others.has(name))
  const onlySome = new Set([...engine, ...otherLanguages])
  return {
    firstRows: sum(namesOf('style', 'main', 'search-page', 'server-worker')),
    language: sum(namesOf('language-worker')),
    otherLanguages: sum(otherLanguages),
    engine: sum(engine),
    withoutEngine: sum([...assets.keys()].filter((name) => !onlySome.has(name) || others.has(name))),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await buildConsole(resolve(process.argv[2] ?? join(root, 'dist/console')))
