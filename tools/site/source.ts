import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { root } from '../library.ts'

/** A Markdown page. The site keeps the paths of the repository, so links between pages work in both. */
export interface Source {
  /** Relative to the root of the site, such as `docs/language.md`. */
  readonly path: string
  readonly text: string
}

/** Folders whose Markdown files become pages. */
const FOLDERS = ['docs', 'grammar']

/** Matches a Markdown link to a file of the site, with an optional fragment. */
const LINK = /\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g

/** Removes code from a page, since it contains no links. */
export const withoutCode = (text: string): string =>
  text.replaceAll(/^```.*\n[^]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')

/** Returns the paths of the files that a page links to, relative to the root. */
export function linkedFiles({ path, text }: Source): readonly string[] {
  return Array.from(withoutCode(text).matchAll(LINK), ([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(path), target))
}

function markdownFiles(folder: string): readonly string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.md')).map((name) => join(folder, name.replaceAll('\\', '/')))
}

/** The Markdown pages, and the other files to which they link. */
export interface Sources {
  readonly pages: readonly Source[]
  readonly files: readonly string[]
}

/**
 * Finds every Markdown file of `docs` and `grammar`, and all files that they link to, directly or indirectly. Throws
 * for a link to a missing file.
 */
export function findSources(): Sources {
  const pages = new Map<string, Source>()
  const files = new Set<string>()
  const open = FOLDERS.flatMap(markdownFiles).toSorted()
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    if (pages.has(path) || files.has(path)) continue
    if (!path.endsWith('.md')) {
      files.add(path)
      continue
    }
    const page = { path, text: readFileSync(join(root, path), 'utf8') }
    pages.set(path, page)
    for (const linked of linkedFiles(page)) {
      const file = join(root, linked)
      if (!existsSync(file)) throw new Error(`${path} links to ${linked}, which is missing.`)
      if (statSync(file).isFile()) open.push(linked)
      else throw new Error(`${path} links to the folder ${linked}: link to its README.md, which the site can show.`)
    }
  }
  return { pages: [...pages.values()], files: [...files].toSorted() }
}
