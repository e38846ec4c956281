import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** A fenced block of a page. `language` is the first word after the fence, empty if there is none. */
export interface Block {
  readonly language: string
  readonly text: string
  /** 1-based line of the opening fence. */
  readonly line: number
}

export interface Page {
  /** Path relative to the repository. */
  readonly path: string
  readonly text: string
  readonly blocks: readonly Block[]
}

export function readPage(path: string): Page {
  const text = readFileSync(join(root, path), 'utf8')
  const blocks = Array.from(text.matchAll(/^```(.*)\n([^]*?)^```$/gm), ({ 1: language = '', 2: body = '', index }) => ({
    language,
    text: body,
    line: text.slice(0, index).split('\n').length,
  }))
  return { path, text, blocks }
}

/** Returns every page of `docs`, sorted by path, and the README. */
export function allPages(): readonly Page[] {
  const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const paths = names.filter((name) => name.endsWith('.md')).map((name) => relative(root, join(root, 'docs', name)))
  return ['README.md', ...paths.toSorted()].map(readPage)
}
