import { basename, join } from 'node:path/posix'
import { existsSync } from 'node:fs'
import type { Token, Tokens, TokensList } from 'marked'
import { root } from '../library.ts'
import {
  blockLanguages,
  type Block,
  type BlockAnswer,
  type BlockFile,
  type BlockLanguage,
} from '../../site/run/block.ts'
import { MAX_ROWS, partsOfShell } from './shell.ts'
import type { Source } from './source.ts'

const STORY = 'payments-pool-exhausted.ndjson'
const tables = ['logs', 'spans', 'events', 'workloads', 'clusters']

/** Files for blocks that name none, one for each table; the first one is queried by default. */
const fixtures: readonly BlockFile[] = tables.map((table) => ({
  table,
  name: STORY,
  path: `fixtures/${table}/${STORY}`,
}))
const metrics: readonly BlockFile[] = [
  { table: 'samples', name: 'requests.prom', path: 'fixtures/metrics/requests.prom' },
]

/** Folders of files that commands of a page read, for pages that do not write these files themselves. */
const foldersOfPages: Readonly<Record<string, string>> = { 'grammar/reference/questions.md': 'fixtures/questions' }

/** Languages of code blocks by the word after the opening fence. */
const fences: Readonly<Record<string, BlockLanguage>> = {
  sluice: 'native',
  ...Object.fromEntries(blockLanguages.map((language) => [language, language])),
}

/** Returns a block that queries the fixtures. */
export function blockOf(language: BlockLanguage, query: string, options: Block['options'] = {}): Block {
  const files =
    language === 'promql'
      ? metrics
      : language === 'traceql'
        ? fixtures.filter(({ table }) => table === 'spans')
        : fixtures
  return { language, query, files, format: 'table', options, maxRows: MAX_ROWS }
}

/** Parses the options after the language of a fenced block: `name=value`, separated by blanks. */
function optionsIn(words: readonly string[]): Block['options'] {
  return Object.fromEntries(words.map((word) => word.split('=')))
}

/** A query of a page that was run, with its answer. */
export interface RunBlock {
  readonly id: string
  readonly block: Block
  /** The equivalent command line; empty for a block over the fixtures. */
  readonly command: string
  readonly answer: BlockAnswer
}

/** The answer that the Markdown of a page prints for a block. A test compares it with the computed one. */
export interface PrintedAnswer {
  readonly page: string
  readonly blocks: readonly RunBlock[]
  readonly text: string
}

/** A part of a fenced block on the page: a query, or text. */
export type Shown =
  | { readonly kind: 'query'; readonly run: RunBlock }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  | { readonly kind: 'pair'; readonly language: string; readonly foreign: string; readonly run: RunBlock }

/** Fenced blocks of a page by token. A token without an entry is left out: it repeats what another one shows. */
export interface PageBlocks {
  readonly shown: ReadonlyMap<Token, readonly Shown[]>
  readonly runs: readonly RunBlock[]
  readonly printed: readonly PrintedAnswer[]
  /** Files that the commands of the page write, by path. */
  readonly files: ReadonlyMap<string, string>
}

function isCode(token: Token | undefined): token is Tokens.Code {
  return token?.type === 'code'
}

/** Finds and runs the query blocks of a page. */
export async function blocksOf(
  { path, text }: Source,
  tokens: TokensList,
  run: (block: Block, files: ReadonlyMap<string, string>) => Promise<BlockAnswer>,
): Promise<PageBlocks> {
  const shown = new Map<Token, readonly Shown[]>()
  const runs: RunBlock[] = []
  const printed: PrintedAnswer[] = []
  const files = new Map<string, string>()
  const latest = new Map<string, string>()
  const folder = foldersOfPages[path]
  const find = (name: string): string | undefined => {
    const known = latest.get(name) ?? (name.startsWith('fixtures/') ? name : folder && join(folder, name))
    return known !== undefined && (files.has(known) || existsSync(join(root, known))) ? known : undefined
  }
  const keep = (name: string, content: string): void => {
    const kept = `data/${path.replace(/\.md$/, '')}/${files.size + 1}/${basename(name)}`
    latest.set(name, kept)
    files.set(kept, content)
  }
  const add = async (block: Block, command: string): Promise<RunBlock> => {
    const made = { id: `q${runs.length + 1}`, block, command, answer: await run(block, files) }
    runs.push(made)
    return made
  }
  const showShell = async (token: Tokens.Code, next: Token | undefined): Promise<void> => {
    const parts = partsOfShell(`${token.text}\n`, find, keep)
    if (parts.every(({ kind }) => kind === 'lines')) return
    const list: Shown[] = []
    for (const part of parts)
      if (part.kind === 'lines') list.push({ kind: 'code', text: part.text.trimEnd(), language: 'sh' })
      else list.push({ kind: 'query', run: await add(part.block, part.command) })
    shown.set(token, list)
    if (next?.type !== 'code' || next['lang'] !== 'text' || parts.some((part) => part.kind === 'lines' && part.prints))
      return
    shown.set(next, [])
    printed.push({
      page: path,
      text: next.text,
      blocks: list.flatMap((each) => (each.kind === 'query' ? [each.run] : [])),
    })
  }
  const pairs = /<!-- pairs: (\w+) -->/.exec(text)?.[1]
  const behind = tokens.filter(({ type }) => type !== 'space')
  for (const [i, token] of behind.entries()) {
    if (!isCode(token)) continue
    const code = token
    const [fence = '', ...words] = (code.lang ?? '').split(' ')
    const language = fences[fence]
    if (language !== undefined) {
      const [word, answers] = behind.slice(i + 1)
      const says =
        word?.raw.trim() === 'answers' && isCode(answers) && answers.lang === 'json' ? answers.text : undefined
      const made = await add(
        { ...blockOf(language, code.text, optionsIn(words)), ...(says === undefined ? {} : { format: 'ndjson' }) },
        '',
      )
      shown.set(code, [{ kind: 'query', run: made }])
      if (says === undefined || word === undefined || answers === undefined) continue
      for (const left of [word, answers]) shown.set(left, [])
      printed.push({ page: path, text: says, blocks: [made] })
    } else if (pairs !== undefined && (code.lang ?? '') === '') {
      const list: Shown[] = []
      for (const pair of code.text.split('\n\n')) {
        const [foreign = '', own = ''] = pair.split(/\n(?= {2})/)
        list.push({ kind: 'pair', language: pairs, foreign, run: await add(blockOf('native', own.trim()), '') })
      }
      shown.set(code, list)
    } else if (code.lang === 'sh' || (folder !== undefined && code.text.startsWith('sluice ')))
      await showShell(code, behind[i + 1])
  }
  return { shown, runs, printed, files }
}
