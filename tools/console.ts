import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { rolldown, type OutputChunk } from 'rolldown'
import { root, source } from './library.ts'

/** The threads of the page and the page itself, by the names under which `index.html` has their addresses. */
const entries = {
  main: source('console/app/main.tsx'),
  'data-worker': source('console/data/worker.ts'),
  'language-worker': source('console/language/worker.ts'),
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8)
}

/** Returns all styles in the order of their names, behind those of the chart library. */
function styles(): string {
  const folder = source('console/styles')
  const own = readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  return [readFileSync(join(root, 'node_modules/uplot/dist/uPlot.min.css'), 'utf8'), ...own].join('\n')
}

/**
 * Builds the console into a folder of static files: `index.html`, and `assets/` with a hash in each name. Returns the
 * ids of all modules in it.
 */
export async function buildConsole(out: string): Promise<readonly string[]> {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(join(out, 'assets'), { recursive: true })
  const bundle = await rolldown({
    input: entries,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    resolve: { conditionNames: ['production', 'browser', 'import', 'default'] },
    checks: { ineffectiveDynamicImport: false },
  })
  const { output } = await bundle.write({
    dir: out,
    format: 'esm',
    minify: true,
    sourcemap: false,
    entryFileNames: 'assets/[name]-[hash].js',
    chunkFileNames: 'assets/[name]-[hash].js',
  })
  await bundle.close()
  const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk')
  const fileOf = (name: string): string => chunks.find((chunk) => chunk.isEntry && chunk.name === name)?.fileName ?? ''
  const css = styles()
  const cssName = `assets/style-${hashOf(css)}.css`
  writeFileSync(join(out, cssName), css)
  const preloads = (chunks.find(({ name, isEntry }) => isEntry && name === 'main')?.imports ?? [])
    .map((file) => `<link rel="modulepreload" href="${file}">`)
    .join('\n    ')
  const page = readFileSync(source('console/index.html'), 'utf8')
    .replace('{{style}}', cssName)
    .replace('{{preloads}}', preloads)
    .replace('{{main}}', fileOf('main'))
    .replace('{{data-worker}}', fileOf('data-worker'))
    .replace('{{language-worker}}', fileOf('language-worker'))
  writeFileSync(join(out, 'index.html'), page)
  return chunks.flatMap(({ moduleIds }) => moduleIds)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await buildConsole(resolve(process.argv[2] ?? join(root, 'dist/console')))
