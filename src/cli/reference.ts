import { readFileSync } from 'node:fs'
import { nearestNames } from '../base/index.ts'

/** A paragraph, a list, or lines that are typed as they stand. */
interface ReferenceBlock {
  readonly text: string
  readonly isCode: boolean
}

/** One pipe, filter, function or clause, as the pages in `grammar/reference` describe it. */
export interface ReferenceEntry {
  /** `pipe`, `filter`, `stats function` and so on; `page` for the questions. */
  readonly kind: string
  readonly name: string
  readonly aliases: readonly string[]
  readonly blocks: readonly ReferenceBlock[]
}

/** The pages of named things; the heading above an entry's own is its kind. */
const PAGES = [
  { file: 'pipes.md', level: 2 },
  { file: 'filters.md', level: 2 },
  { file: 'functions.md', level: 3 },
  { file: 'clauses.md', level: 2 },
] as const

/** The folder of the package, two above this file in `src` and in `dist`. */
function pageText(file: string): string {
  return readFileSync(new URL(`../../grammar/reference/${file}`, import.meta.url), 'utf8')
}

/** Paragraphs and fenced lines of Markdown. */
function blocksOf(text: string): readonly ReferenceBlock[] {
  return text.split(/^```\w*\n([^]*?)^```$/m).flatMap((part, index) => {
    const isCode = index % 2 === 1
    const texts = isCode ? [part.trimEnd()] : part.split('\n\n').map((paragraph) => paragraph.trim())
    return texts.filter((each) => each !== '').map((each) => ({ text: each, isCode }))
  })
}

function aliasesOf(blocks: readonly ReferenceBlock[]): readonly string[] {
  const [, list = ''] = /Also written ((?:`[^`]+`(?:, )?)+)/.exec(blocks[0]?.text ?? '') ?? []
  return Array.from(list.matchAll(/`([^`]+)`/g), ([, name = '']) => name)
}

function entriesOf(text: string, level: number): readonly ReferenceEntry[] {
  let kind = ''
  return text.split(/^(?=#{1,3} )/m).flatMap((section) => {
    const [, marks = '', title = '', body = ''] = /^(#+) (.*)\n([^]*)$/.exec(section) ?? []
    if (marks.length === level - 1) kind = title.toLowerCase().replace(/s$/, '')
    if (marks.length !== level) return []
    const blocks = blocksOf(body)
    return [{ kind, name: title, aliases: aliasesOf(blocks), blocks }]
  })
}

/** The page of questions, which is one entry: its headings are paragraphs. */
function questions(): ReferenceEntry {
  const text = pageText('questions.md')
    .replace(/^# .*$/m, '')
    .replaceAll(/^## /gm, '')
  return { kind: 'page', name: 'questions', aliases: [], blocks: blocksOf(text) }
}

/** The questions, and every pipe, filter and function, in the order of the pages. Reads the pages. */
export function referenceEntries(): readonly ReferenceEntry[] {
  return [questions(), ...PAGES.flatMap(({ file, level }) => entriesOf(pageText(file), level))]
}

/** Every name that an entry has, each once. */
export function referenceNames(entries: readonly ReferenceEntry[]): readonly string[] {
  return [...new Set(entries.flatMap(({ name, aliases }) => [name, ...aliases]))]
}

/** The entries of a name or alias: `values` is a function and more. Case does not count. */
export function entriesNamed(name: string, entries: readonly ReferenceEntry[]): readonly ReferenceEntry[] {
  const wanted = name.toLowerCase()
  return entries.filter((entry) => entry.name === wanted || entry.aliases.includes(wanted))
}

/** An entry for a terminal; what is typed is indented. */
export function entryText({ kind, name, blocks }: ReferenceEntry): string {
  const indented = (text: string): string => text.replaceAll(/^/gm, '    ')
  return `${[`${name} (${kind})`, ...blocks.map(({ text, isCode }) => (isCode ? indented(text) : text))].join('\n\n')}\n`
}

/** One sentence on a name that nothing has, with the names near it. */
export function unknownName(name: string, kinds: string, known: Iterable<string>): string {
  const near = nearestNames(name, known).map((each) => `\`${each}\``)
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`
  return `There is no ${kinds} \`${name}\`.${hint}`
}
