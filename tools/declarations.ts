import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * Reads the declaration files that the compiler wrote and collects what a set of entry files exposes: each exported
 * declaration, and every declaration that these use. It parses the compiler's own layout only, not TypeScript in
 * general.
 */

/** One statement of a declaration file. */
export interface Statement {
  /** The documentation comment before it. */
  readonly comment: string
  readonly text: string
}

/** A name that is declared in another file; `*` stands for all names of that file. */
interface Link {
  readonly specifier: string
  readonly name: string
}

/** Members that one file adds to an interface of another by declaration merging. */
interface Addition {
  readonly specifier: string
  readonly interfaces: ReadonlySet<string>
  readonly text: string
}

interface DeclarationFile {
  readonly path: string
  readonly additions: readonly Addition[]
  /** Declarations by name, in the order of the file. */
  readonly declared: ReadonlyMap<string, readonly Statement[]>
  readonly statements: readonly { readonly names: readonly string[]; readonly statement: Statement }[]
  readonly imported: ReadonlyMap<string, Link>
  /** For each exported name: its local name, or the file and name from which it is re-exported. */
  readonly exported: ReadonlyMap<string, string | Link>
  readonly stars: readonly string[]
}

/** File and name of a declaration. A declaration of a package has no path. */
export interface Place {
  readonly path: string
  readonly name: string
}

const BLOCK = /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:interface|class|enum|namespace|module)\b/
const DECLARED =
  /^(?:export )?(?:declare )?(?:abstract )?(interface|class|enum|namespace|function|const|let|type)\s+(\w+)/
const TYPE = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|class|enum|type)\b/m
const LINKED_INLINE = /\bimport\("([^"]+)"\)\.(\w+)/g

/** Returns the end of the string or comment that starts at `i`, or `i` when code starts there. */
function skipped(text: string, i: number): number {
  const char = text[i]
  if (text.startsWith('/*', i)) return text.indexOf('*/', i) + 2
  if (text.startsWith('//', i)) return text.indexOf('\n', i)
  if (char !== "'" && char !== '"' && char !== '`') return i
  let end = i + 1
  while (text[end] !== char) end += text[end] === '\\' ? 2 : 1
  return end + 1
}

function statementsOf(text: string): Statement[] {
  const found: Statement[] = []
  let commentStart = -1
  let start = -1
  let depth = 0
  for (let i = 0; i < text.length;) {
    if (start === -1) {
      if (/\s/.test(text[i] ?? '')) i++
      else if (text.startsWith('/*', i)) {
        commentStart = i
        i = skipped(text, i)
      } else if (text.startsWith('//', i)) {
        i = skipped(text, i)
        if (i === -1) break
      } else start = i
      continue
    }
    const after = skipped(text, i)
    if (after !== i) {
      i = after
      continue
    }
    const char = text[i] ?? ''
    if ('{([<'.includes(char)) depth++
    else if ('})]'.includes(char) || (char === '>' && text[i - 1] !== '=')) depth--
    i++
    const isEnd = depth === 0 && (char === ';' || (char === '}' && BLOCK.test(text.slice(start, start + 60))))
    if (!isEnd) continue
    const comment = commentStart === -1 ? '' : text.slice(commentStart, start).trim()
    found.push({ comment, text: text.slice(start, i) })
    commentStart = -1
    start = -1
  }
  return found
}

/** Parses `{ A, type B as C }` into pairs of the exported and the local name. */
function namesIn(list: string): readonly (readonly [there: string, here: string])[] {
  return list
    .split(',')
    .map((part) => part.trim().replace(/^type /, ''))
    .filter((part) => part !== '')
    .map((part): readonly [string, string] => {
      const [there = '', here = there] = part.split(' as ')
      return [there.trim(), here.trim()]
    })
}

/** Returns the names of `const a: A, b: B` and of `const a = 'text'`. */
function constNames(text: string): string[] {
  const names: string[] = []
  let depth = 0
  for (const [, opened, closed, name] of text.replaceAll('=>', '').matchAll(/([{([<])|([})\]>])|(\w+)(?=\??:| = )/g)) {
    if (opened !== undefined) depth++
    else if (closed !== undefined) depth--
    else if (depth === 0 && name !== undefined) names.push(name)
  }
  return names
}

function read(path: string): DeclarationFile {
  const declared = new Map<string, Statement[]>()
  const statements: { names: readonly string[]; statement: Statement }[] = []
  const imported = new Map<string, Link>()
  const exported = new Map<string, string | Link>()
  const stars: string[] = []
  const additions: Addition[] = []
  for (const statement of statementsOf(readFileSync(path, 'utf8'))) {
    const { text } = statement
    const from = /\bfrom ['"]([^'"]+)['"];$/.exec(text)?.[1]
    const list = /\{([^}]*)\}/.exec(text)?.[1] ?? ''
    if (text.startsWith('import ')) {
      const whole = /^import (?:type )?(?:\* as )?(\w+)/.exec(text)?.[1]
      if (from === undefined) continue
      if (whole !== undefined && !text.includes('{'))
        imported.set(whole, { specifier: from, name: text.includes('* as') ? '*' : 'default' })
      else for (const [there, here] of namesIn(list)) imported.set(here, { specifier: from, name: there })
    } else if (/^export (?:type )?\{/.test(text)) {
      for (const [there, here] of namesIn(list))
        exported.set(here, from === undefined ? there : { specifier: from, name: there })
    } else if (text.startsWith('declare module ')) {
      const specifier = /'([^']+)'/.exec(text)?.[1] ?? ''
      const interfaces = new Set(Array.from(text.matchAll(/\binterface (\w+)/g), ([, name = '']) => name))
      additions.push({ specifier, interfaces, text })
    } else if (/^export (?:type )?\*/.test(text)) {
      if (from === undefined || text.includes(' as ')) throw new Error(`${path}: no way is known to read ${text}`)
      stars.push(from)
    } else {
      const [, kind, first] = DECLARED.exec(text) ?? []
      if (first === undefined) throw new Error(`${path}: no way is known to read ${text.slice(0, 80)}`)
      const names = kind === 'const' || kind === 'let' ? constNames(text) : [first]
      for (const name of names) {
        declared.set(name, [...(declared.get(name) ?? []), statement])
        if (text.startsWith('export ')) exported.set(name, name)
      }
      statements.push({ names, statement })
    }
  }
  return { path, additions, declared, statements, imported, exported, stars }
}

/** Returns the identifiers of a declaration, without its strings and comments. */
function wordsOf(text: string): ReadonlySet<string> {
  let code = ''
  for (let i = 0; i < text.length;) {
    const after = skipped(text, i)
    if (after === i) code += text[i++]
    else i = after
  }
  return new Set(code.match(/[A-Za-z_$][\w$]*/g))
}

export class Declarations {
  readonly #root: string
  readonly #files = new Map<string, DeclarationFile>()
  /** Names of each file that belong to the public declarations. */
  readonly #seen = new Map<string, Set<string>>()

  /** Declaration merging: additions to the interfaces of a file, each with the file that makes it. */
  readonly #additions = new Map<string, { readonly path: string; readonly addition: Addition }[]>()
  readonly #seenAdditions = new Map<string, Set<Addition>>()

  constructor(root: string) {
    this.#root = root
    for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
      const path = join(root, name)
      if (!name.endsWith('.d.ts') || !readFileSync(path, 'utf8').includes('\ndeclare module ')) continue
      for (const addition of this.#file(path).additions) {
        const target = this.#target(path, addition.specifier)
        this.#additions.set(target, [...(this.#additions.get(target) ?? []), { path, addition }])
      }
    }
  }

  /** Returns every name that a file exports, with the file and name of its declaration. */
  exportsOf(path: string): ReadonlyMap<string, Place> {
    const names = new Set<string>()
    const collect = (from: string): void => {
      const file = this.#file(from)
      for (const name of file.exported.keys()) names.add(name)
      for (const star of file.stars) collect(this.#target(from, star))
    }
    collect(path)
    const places = [...names].sort().map((name) => [name, this.#resolve(path, name)] as const)
    return new Map(places.filter((entry): entry is readonly [string, Place] => entry[1] !== undefined))
  }

  /** Returns a declaration without comments. */
  textAt({ path, name }: Place): string {
    const texts = (this.#file(path).declared.get(name) ?? []).map(({ text }) => text)
    return texts.join('\n').replaceAll(/^ *\/\*\*[^]*?\*\/\n/gm, '')
  }

  /** Returns the statements of a declaration, with their comments. */
  statementsAt({ path, name }: Place): readonly Statement[] {
    return this.#file(path).declared.get(name) ?? []
  }

  /** Returns the base classes and interfaces of a declaration, if a file of the root declares them. */
  basesOf({ path, name }: Place): readonly Place[] {
    const file = this.#file(path)
    const heads = this.statementsAt({ path, name }).map(({ text }) => /\bextends ([^{]*)\{/.exec(text)?.[1] ?? '')
    return [...wordsOf(heads.join(' '))].flatMap((word) => {
      const link = file.imported.get(word)
      const place = link === undefined ? undefined : this.#linked(path, link)
      return place ?? (link === undefined && file.declared.has(word) ? { path, name: word } : [])
    })
  }

  /** Marks a declaration and everything that it uses as public. */
  see({ path, name }: Place): void {
    const seen = this.#seen.get(path) ?? new Set()
    this.#seen.set(path, seen)
    if (seen.has(name)) return
    seen.add(name)
    for (const { text } of this.#file(path).declared.get(name) ?? []) this.#seeText(path, text)
    for (const { path: from, addition } of this.#additions.get(path) ?? []) {
      const known = this.#seenAdditions.get(from) ?? new Set()
      if (!addition.interfaces.has(name) || known.has(addition)) continue
      this.#seenAdditions.set(from, known.add(addition))
      if (!this.#seen.has(from)) this.#seen.set(from, new Set())
      this.#seeText(from, addition.text)
    }
  }

  #seeText(path: string, text: string): void {
    const file = this.#file(path)
    for (const word of wordsOf(text)) {
      const link = file.imported.get(word)
      const place = link === undefined ? undefined : this.#linked(path, link)
      if (place !== undefined) this.see(place)
      else if (file.declared.has(word)) this.see({ path, name: word })
    }
    for (const [, specifier = '', other = ''] of text.matchAll(LINKED_INLINE)) {
      const place = this.#linked(path, { specifier, name: other })
      if (place !== undefined) this.see(place)
    }
  }

  /** Returns the public types that their own files export, sorted by file and name. */
  seenTypes(): readonly Place[] {
    const places = [...this.#seen].flatMap(([path, names]) => [...names].map((name): Place => ({ path, name })))
    return places
      .filter(({ path, name }) => this.#file(path).exported.has(name) && TYPE.test(this.textAt({ path, name })))
      .sort((a, b) => (a.name + a.path < b.name + b.path ? -1 : 1))
  }

  /** Returns the text of each file reduced to its public declarations, by path relative to the root. */
  files(): ReadonlyMap<string, string> {
    return new Map([...this.#seen].map(([path, seen]) => [relative(this.#root, path), this.#written(path, seen)]))
  }

  #written(path: string, seen: ReadonlySet<string>): string {
    const file = this.#file(path)
    const kept = file.statements.filter(({ names }) => names.some((name) => seen.has(name)))
    const additions = [...(this.#seenAdditions.get(path) ?? [])].map(({ text, specifier }) =>
      text.replace(specifier, between(path, this.#target(path, specifier))),
    )
    const adding = (this.#additions.get(path) ?? []).filter(({ path: from, addition }) =>
      this.#seenAdditions.get(from)?.has(addition),
    )
    const loads = new Set(adding.map(({ path: from }) => `import '${between(path, from)}';`))
    const all = [...kept.map(({ statement }) => statement.text), ...additions]
    const words = new Set(all.flatMap((text) => [...wordsOf(text)]))
    const imports = [...file.imported]
      .filter(([here]) => words.has(here))
      .map(([here, link]) => {
        const place = this.#linked(path, link)
        const { specifier, name } =
          place === undefined ? link : { specifier: between(path, place.path), name: place.name }
        if (name === '*') return `import * as ${here} from '${specifier}';`
        return `import { ${name === here ? here : `${name} as ${here}`} } from '${specifier}';`
      })
    const texts = kept.map(({ statement: { comment, text } }) => {
      const relinked = text.replaceAll(LINKED_INLINE, (whole, specifier: string, name: string) => {
        const place = this.#linked(path, { specifier, name })
        return place === undefined ? whole : `import("${between(path, place.path)}").${place.name}`
      })
      return comment === '' ? relinked : `${comment}\n${relinked}`
    })
    return `${[...loads, ...imports, ...texts, ...additions, 'export {};'].join('\n')}\n`
  }

  #resolve(path: string, name: string): Place | undefined {
    const file = this.#file(path)
    const found = file.exported.get(name)
    if (typeof found === 'object') return this.#linked(path, found)
    if (found !== undefined) {
      if (file.declared.has(found)) return { path, name: found }
      const link = file.imported.get(found)
      return link === undefined ? undefined : this.#linked(path, link)
    }
    for (const star of file.stars) {
      const place = this.#resolve(this.#target(path, star), name)
      if (place !== undefined) return place
    }
    return undefined
  }

  /** Returns the declaration of an imported name; `undefined` if a package declares it. */
  #linked(path: string, { specifier, name }: Link): Place | undefined {
    return specifier.startsWith('.') ? this.#resolve(this.#target(path, specifier), name) : undefined
  }

  #target(path: string, specifier: string): string {
    const target = join(dirname(path), specifier.replace(/\.(ts|js)$/, '.d.ts'))
    if (!existsSync(target)) throw new Error(`${path}: there is no ${specifier}`)
    return target
  }

  #file(path: string): DeclarationFile {
    const known = this.#files.get(path)
    if (known !== undefined) return known
    const file = read(path)
    this.#files.set(path, file)
    return file
  }
}

/** Returns the specifier by which one declaration file imports another. */
export function between(from: string, to: string): string {
  const path = relative(dirname(from), to).replace(/\.d\.ts$/, '.js')
  return path.startsWith('.') ? path : `./${path}`
}
