import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { root } from '../library.ts'

/** A page in Markdown. The site keeps the paths of the repository, so links between pages hold in both forms. */
export interface Source {
  /** Relative to the root of the site, such as `docs/language.md`. */
  readonly path: string
  readonly text: string
}

/** Folders whose Markdown files are pages. */
const FOLDERS = ['docs', 'grammar']

/** A link of Markdown that leads into the site: its address and its fragment. */
const LINK = /\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g

/** Returns a page without its code, in which nothing is a link. */
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

/** Pages of the repository and the other files to which they link. */
export interface Sources {
  readonly pages: readonly Source[]
  readonly files: readonly string[]
}

/**
 * Finds every Markdown file of `docs` and `grammar`, and all files that these link to, directly or not. Throws for a
 * link to a file that is missing.
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
