import { CommandError } from '../../base/index.ts'
import { existsSync, readdirSync, statSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { MAX_FILES } from './tuning.ts'

/** Files that people have named, by themselves or by a folder or pattern. */
export interface NamedFiles {
  /** In the order of the arguments, those of a folder or pattern by name; `-` is standard input. */
  readonly paths: readonly string[]
  /** Those that a folder or a pattern brought: one of them that cannot be read does not end the query. */
  readonly gathered: ReadonlySet<string>
}

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The regular expression of one part of a pattern: `*`, `?`, `[a-z]`, `[!a-z]`, `{one,other}`. */
function partPattern(part: string): RegExp {
  let source = ''
  let braces = 0
  for (let i = 0; i < part.length; i++) {
    const character = part[i] ?? ''
    const close = character === '[' ? part.indexOf(']', i + 2) : -1
    if (character === '*') {
      while (part[i + 1] === '*') i++
      source += '.*'
    } else if (character === '?') source += '.'
    else if (close !== -1) {
      const inside = part
        .slice(i + 1, close)
        .replace(/^[!^]/, '')
        .replaceAll(/[\\\]^]/g, '\\$&')
      source += `[${/^[!^]/.test(part.slice(i + 1)) ? '^' : ''}${inside}]`
      i = close
    } else if (character === '{' && part.includes('}', i)) {
      braces++
      source += '(?:'
    } else if (character === '}' && braces > 0) {
      braces--
      source += ')'
    } else if (character === ',' && braces > 0) source += '|'
    else source += character.replace(/[.*+?^${}()|[\]\\]/, '\\$&')
  }
  try {
    return new RegExp(`^${source}$`, 's')
  } catch {
    throw new CommandError(`The pattern \`${part}\` cannot be read.`)
  }
}

/** Entries of a folder by name; those that a dot begins are hidden. A folder that cannot be listed is told. */
function entriesOf(folder: string, showsHidden: boolean): readonly Dirent[] {
  try {
    return readdirSync(folder === '' ? '.' : folder, { withFileTypes: true })
      .filter(({ name }) => showsHidden || !name.startsWith('.'))
      .toSorted((a, b) => byName(a.name, b.name))
  } catch (error) {
    throw new CommandError(`${folder} cannot be listed: ${error instanceof Error ? error.message : String(error)}`, 1)
  }
}

class Gathering {
  readonly found: string[] = []

  file(path: string): void {
    if (this.found.length === MAX_FILES)
      throw new CommandError(`There are more than ${MAX_FILES} files; name fewer at a time.`, 1)
    this.found.push(path)
  }

  /** All files below a folder. Links to folders are not followed: they may lead back. */
  folder(path: string): void {
    for (const entry of entriesOf(path, false)) {
      const below = join(path, entry.name)
      if (entry.isDirectory()) this.folder(below)
      else if (isFile(entry, below)) this.file(below)
    }
  }

  /** Files that match the rest of a pattern below a folder. */
  pattern(folder: string, parts: readonly string[]): void {
    const [part = '', ...rest] = parts
    if (part === '**') {
      this.pattern(folder, rest.length === 0 ? ['*'] : rest)
      for (const entry of entriesOf(folder, false)) {
        if (entry.isDirectory()) this.pattern(join(folder, entry.name), parts)
      }
      return
    }
    if (!isPattern(part)) {
      const path = folder === '' ? part || '/' : join(folder, part)
      const stats = statSync(path, { throwIfNoEntry: false })
      if (stats?.isDirectory() === true && rest.length > 0) this.pattern(path, rest)
      else if (stats?.isFile() === true && rest.length === 0) this.file(path)
      return
    }
    const matches = partPattern(part)
    for (const entry of entriesOf(folder, part.startsWith('.'))) {
      if (!matches.test(entry.name)) continue
      const path = join(folder, entry.name)
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && isFolderAt(path))
      if (rest.length > 0 && isFolder) this.pattern(path, rest)
      else if (rest.length === 0 && isFile(entry, path)) this.file(path)
    }
  }
}

function isFile(entry: Dirent, path: string): boolean {
  return entry.isFile() || (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile() === true)
}

function isFolderAt(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function isPattern(text: string): boolean {
  return /[*?[{]/.test(text)
}

/**
 * The files that arguments name: a file itself, all below a folder, those that a pattern matches (`*`, `?`, `[…]`, `{…}`,
 * `**` for any folders). Throws CommandError when one of them brings nothing.
 */
export function namedFiles(names: readonly string[]): NamedFiles {
  const paths: string[] = []
  const gathered = new Set<string>()
  for (const name of names) {
    const isWritten = name === '-' || (existsSync(name) && !isFolderAt(name))
    if (isWritten || (!isPattern(name) && !existsSync(name))) {
      // One that is not there is told by whoever opens it.
      paths.push(name)
      continue
    }
    const gathering = new Gathering()
    const isFolder = isFolderAt(name)
    if (isFolder) gathering.folder(name)
    else
      gathering.pattern(
        '',
        name.split('/').filter((part, i) => part !== '' || i === 0),
      )
    if (gathering.found.length === 0)
      throw new CommandError(isFolder ? `There is no file in ${name}.` : `No file matches ${name}.`)
    for (const path of new Set(gathering.found)) {
      if (gathered.has(path)) continue
      gathered.add(path)
      paths.push(path)
    }
  }
  return { paths, gathered }
}
