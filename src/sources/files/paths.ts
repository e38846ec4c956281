import { CommandError } from '../../base/index.ts'
import { existsSync, readdirSync, statSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { MAX_FILES } from './tuning.ts'

/** Files that the user named directly, by a folder or by a pattern. */
export interface NamedFiles {
  /**
   * The paths in the order of the arguments. Files of a folder or pattern are in the order of their names; `-` is
   * standard input.
   */
  readonly paths: readonly string[]
  /** The files that a folder or a pattern added. A query continues when one of them cannot be read. */
  readonly gathered: ReadonlySet<string>
}

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns the regular expression for one path segment of a pattern: `*`, `?`, `[a-z]`, `[!a-z]`, `{one,other}`. */
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

/**
 * Returns the entries of a folder in the order of their names; names that begin with a dot are hidden. Throws
 * CommandError when the folder cannot be listed.
 */
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

  /** Adds all files below a folder. Links to folders are not followed because they could form a cycle. */
  folder(path: string): void {
    for (const entry of entriesOf(path, false)) {
      const below = join(path, entry.name)
      if (entry.isDirectory()) this.folder(below)
      else if (isFile(entry, below)) this.file(below)
    }
  }

  /** Adds the files below a folder that match the remaining segments of a pattern. */
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
 * Returns the files that the arguments name. An argument is a file, a folder with all files below it, or a pattern
 * (`*`, `?`, `[…]`, `{…}`, `**` for any folders). Throws CommandError when an argument matches nothing.
 */
export function namedFiles(names: readonly string[]): NamedFiles {
  const paths: string[] = []
  const gathered = new Set<string>()
  for (const name of names) {
    const isWritten = name === '-' || (existsSync(name) && !isFolderAt(name))
    if (isWritten || (!isPattern(name) && !existsSync(name))) {
      // A missing file is reported when it is opened.
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
