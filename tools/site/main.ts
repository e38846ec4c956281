import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import type { Block, BlockAnswer } from '../../site/run/block.ts'
import { Runner } from '../../site/run/run-block.ts'
import type { SearchEntry } from '../../site/page/search-options.ts'
import { bundlePages, entryFile, hashOf, readStyles, sketchesOfThreads } from '../console.ts'
import { licencesOf } from '../licenses.ts'
import { root, source } from '../library.ts'
import { blocksOf, type PrintedAnswer, type RunBlock } from './blocks.ts'
import { diagnosticPages } from './diagnostics.ts'
import { LICENCES, navOf, pageHtml, type Assets } from './layout.ts'
import { llmsText } from './llms.ts'
import { renderPage, tokensOf } from './markdown.ts'
import { searchIndex, sectionsOf } from './search-index.ts'
import { findSources, type Source } from './source.ts'

/** Result of building the site. */
export interface Site {
  /** Paths of all pages, with the extension `.md`. */
  readonly pages: readonly string[]
  /** Every query block and its page. */
  readonly blocks: readonly { readonly page: string; readonly run: RunBlock }[]
  /** Answers that the Markdown of the pages prints. */
  readonly printed: readonly PrintedAnswer[]
  /** The file of the search index. */
  readonly search: string
}

/** The contents page. Its groups of links become the sidebar of every page. */
const CONTENTS = 'docs/README.md'

async function writeAssets(out: string, entries: readonly SearchEntry[]): Promise<Assets> {
  const chunks = await bundlePages(
    {
      site: join(root, 'site/page/main.ts'),
      'query-worker': join(root, 'site/page/worker.ts'),
      'language-worker': source('console/language/worker.ts'),
    },
    out,
    [sketchesOfThreads],
  )
  const style = readStyles(join(root, 'site/page/styles'))
  const search = searchIndex(entries)
  const assets = {
    style: `assets/style-${hashOf(style)}.css`,
    script: entryFile(chunks, 'site'),
    worker: entryFile(chunks, 'query-worker'),
    languageWorker: entryFile(chunks, 'language-worker'),
    search: `assets/search-${hashOf(search)}.json`,
  }
  writeFileSync(join(out, assets.style), style)
  writeFileSync(join(out, assets.search), search)
  writeFileSync(join(out, LICENCES), licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds)))
  return assets
}

/**
 * Builds the site into a folder: each page as HTML and as Markdown, the files to which pages link, scripts, the search
 * index and `llms.txt`. It runs every query block and puts the answer on the page. Rejects for a link to a missing
 * file.
 */
export async function buildSite(out: string): Promise<Site> {
  rmSync(out, { recursive: true, force: true })
  const { pages: written, files } = findSources()
  const home: Source = { path: 'index.md', text: readFileSync(join(root, 'site/index.md'), 'utf8') }
  const save = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(out, path)), { recursive: true })
    writeFileSync(join(out, path), content)
  }
  const data = new Map<string, Uint8Array>()
  const read = (path: string): Uint8Array => {
    const known = data.get(path) ?? readFileSync(join(root, path))
    data.set(path, known)
    return known
  }
  const runner = new Runner((path) => Promise.resolve(read(path)))
  const run = (block: Block, own: ReadonlyMap<string, string>): Promise<BlockAnswer> => {
    for (const [path, text] of own) data.set(path, Buffer.from(text))
    return runner.run(block)
  }
  const { pages: generated, codes } = await diagnosticPages((block) => runner.run(block))
  const sources = [home, ...written, ...generated]
  const paths = new Set(sources.map(({ path }) => path))
  const nav = navOf(sources.find(({ path }) => path === CONTENTS) ?? home)
  const blocks: { page: string; run: RunBlock }[] = []
  const printed: PrintedAnswer[] = []
  const entries: SearchEntry[] = []
  const rendered = []
  for (const page of sources) {
    const tokens = tokensOf(page)
    const found = await blocksOf(page, tokens, run)
    blocks.push(...found.runs.map((each) => ({ page: page.path, run: each })))
    printed.push(...found.printed)
    entries.push(...sectionsOf(page.path, tokens))
    rendered.push({ page, result: renderPage(page, tokens, found, { pages: paths, codes }) })
  }
  const assets = await writeAssets(out, entries)
  for (const { page, result } of rendered) {
    save(page.path, page.text)
    save(page.path.replace(/\.md$/, '.html'), pageHtml(page.path, result, nav, assets))
  }
  for (const [path, bytes] of data) save(path, bytes)
  for (const path of files) save(path, readFileSync(join(root, path)))
  const summaries = new Map(rendered.map(({ page, result }) => [page.path, result.summary]))
  const others = written.map(({ path }) => path).filter((path) => path !== CONTENTS)
  save('llms.txt', llmsText(summaries.get(home.path) ?? '', nav, summaries, others))
  return { pages: [...paths], blocks, printed, search: assets.search }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const out = resolve(process.argv[2] ?? join(root, 'dist/site'))
  const { pages, blocks } = await buildSite(out)
  console.log(`${out}: ${pages.length} pages, ${blocks.length} queries`)
}
