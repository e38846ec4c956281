import { readFileSync } from 'node:fs'
import { nearestNames } from '../base/index.ts'

/** A paragraph, a list, or literal lines. */
interface ReferenceBlock {
  readonly text: string
  readonly isCode: boolean
}

/** Documentation of one pipe, filter, function or clause, from `grammar/reference`. */
export interface ReferenceEntry {
  /** `pipe`, `filter`, `stats function` and so on; `page` for the page of questions. */
  readonly kind: string
  readonly name: string
  readonly aliases: readonly string[]
  readonly blocks: readonly ReferenceBlock[]
}

/** Reference pages; the heading above an entry gives its kind. */
const PAGES = [
  { file: 'pipes.md', level: 2 },
  { file: 'filters.md', level: 2 },
  { file: 'functions.md', level: 3 },
  { file: 'clauses.md', level: 2 },
] as const

/** Reads a file of the package folder, two above this file in `src` and in `dist`. */
function pageText(file: string): string {
  return readFileSync(new URL(`../../grammar/reference/${file}`, import.meta.url), 'utf8')
}

/** Splits Markdown into paragraphs and fenced lines. */
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

/** Returns the page of questions as one entry, with its headings as paragraphs. */
function questions(): ReferenceEntry {
  const text = pageText('questions.md')
    .replace(/^# .*$/m, '')
    .replaceAll(/^## /gm, '')
  return { kind: 'page', name: 'questions', aliases: [], blocks: blocksOf(text) }
}

/** Returns the page of questions and every pipe, filter and function, in page order. Reads the pages. */
export function referenceEntries(): readonly ReferenceEntry[] {
  return [questions(), ...PAGES.flatMap(({ file, level }) => entriesOf(pageText(file), level))]
}

/** Returns the names of all entries, without duplicates. */
export function referenceNames(entries: readonly ReferenceEntry[]): readonly string[] {
  return [...new Set(entries.flatMap(({ name, aliases }) => [name, ...aliases]))]
}

/**
 * Returns the entries with a name or alias, ignoring case. A name may have several entries: `values` is a function and
 * a command.
 */
export function entriesNamed(name: string, entries: readonly ReferenceEntry[]): readonly ReferenceEntry[] {
  const wanted = name.toLowerCase()
  return entries.filter((entry) => entry.name === wanted || entry.aliases.includes(wanted))
}

/** Formats an entry for a terminal; literal lines are indented. */
export function entryText({ kind, name, blocks }: ReferenceEntry): string {
  const indented = (text: string): string => text.replaceAll(/^/gm, '    ')
  return `${[`${name} (${kind})`, ...blocks.map(({ text, isCode }) => (isCode ? indented(text) : text))].join('\n\n')}\n`
}

/** Returns a sentence about an unknown name that suggests similar ones. */
export function unknownName(name: string, kinds: string, known: Iterable<string>): string {
  const near = nearestNames(name, known).map((each) => `\`${each}\``)
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`
  return `There is no ${kinds} \`${name}\`.${hint}`
}
