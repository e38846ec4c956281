import { recordOptionWords } from '../../src/ingest/index.ts'
import { blockFormats, type Block, type BlockFile, type BlockFormat, type BlockLanguage } from '../../site/run/block.ts'

/** A part of a shell script: a query that the page can run, or other lines. */
export type ShellPart =
  | { readonly kind: 'query'; readonly block: Block; readonly command: string }
  | { readonly kind: 'lines'; readonly text: string; readonly prints: boolean }

/** Returns the URL of a file that a command names; `undefined` if the site does not have the file. */
export type FindFile = (name: string) => string | undefined

/** Maximum number of rows that a page shows for an answer, so that the text around it stays on the screen. */
export const MAX_ROWS = 10

const HEREDOC = /^cat > (\S+) <<'?(\w+)'?\n([^]*?)^\2$\n?/m

const options = new Set(['since', 'until', 'from', 'to', 'time', 'step', ...recordOptionWords.map(({ word }) => word)])
/** Options that are synonyms of another option. */
const sameAs: Readonly<Record<string, string>> = { from: 'since', to: 'until' }
const isFormat = (word: string): word is BlockFormat => blockFormats.some((format) => format === word)
const dialects: readonly string[] = ['native', 'logsql', 'logql']

/** Splits a command into words. Quotes are the only shell syntax that it handles. */
function wordsOf(command: string): readonly string[] {
  return Array.from(command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g), ([, one, two, bare]) => one ?? two ?? bare ?? '')
}

/** Converts a command line to a block; `undefined` if it needs more than files and the options of a block. */
function queryOf(command: string, find: FindFile): Block | undefined {
  const [program, verb, ...words] = wordsOf(command)
  if (program !== 'sluice' || (verb !== 'query' && verb !== 'promql')) return undefined
  const given: Record<string, string> = {}
  const files: BlockFile[] = []
  const others: BlockFile[] = []
  let query: string | undefined
  let format: BlockFormat = 'ndjson'
  let language: BlockLanguage = verb === 'promql' ? 'promql' : 'native'
  let table = 'logs'
  for (let word = words[0], i = 0; word !== undefined; word = words[++i]) {
    if (!word.startsWith('--')) {
      const path = find(word)
      if (query === undefined) query = word
      else if (path === undefined) return undefined
      else files.push({ table: 'logs', name: word, path })
      continue
    }
    const name = word.slice(2)
    if (name === 'with-file-name') {
      given[name] = ''
      continue
    }
    const value = words[++i] ?? ''
    const [, other, file = ''] = /^(\w+)=(.+)$/.exec(value) ?? []
    if (name === 'format' && isFormat(value)) format = value
    else if (name === 'dialect' && dialects.includes(value)) language = value as BlockLanguage
    else if (name === 'table' && other === undefined) table = value
    else if (name === 'table' && other !== undefined) {
      const path = find(file)
      if (path === undefined) return undefined
      others.push({ table: other, name: file, path })
    } else if (options.has(name)) given[verb === 'promql' ? name : (sameAs[name] ?? name)] = value
    else return undefined
  }
  if (query === undefined || files.length === 0) return undefined
  return {
    language,
    query,
    format,
    options: given,
    files: [...files.map((each) => ({ ...each, table })), ...others],
    maxRows: MAX_ROWS,
  }
}

/** Splits a script into queries and other lines. Calls `keep` for each file that the script writes. */
export function partsOfShell(
  script: string,
  find: FindFile,
  keep: (name: string, text: string) => void,
): readonly ShellPart[] {
  const parts: ShellPart[] = []
  const addLines = (text: string, prints: boolean): void => {
    const last = parts.at(-1)
    if (last?.kind === 'lines')
      parts[parts.length - 1] = { ...last, text: last.text + text, prints: last.prints || prints }
    else parts.push({ kind: 'lines', text, prints })
  }
  for (let rest = script; rest !== '';) {
    const file = HEREDOC.exec(rest)
    if (file?.index === 0) {
      const [whole, name = '', , text = ''] = file
      keep(name, text)
      addLines(whole, false)
      rest = rest.slice(whole.length)
      continue
    }
    const [line = ''] = /^.*\n?/.exec(rest) ?? []
    const block = queryOf(line.trim(), find)
    if (block === undefined) addLines(line, !/^(export .*)?\s*$/.test(line))
    else parts.push({ kind: 'query', block, command: line.trim() })
    rest = rest.slice(line.length)
  }
  return parts
}
