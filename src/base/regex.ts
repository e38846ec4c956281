import { RE2JS } from 're2js'
import { SluiceError, defineDiagnostics } from './diagnostics/diagnostic.ts'
import { nowhere } from './diagnostics/origin.ts'
import { ITEMS_PER_CHECKPOINT } from './tuning.ts'
import { work } from './work.ts'

/** How a pattern is meant: whole value or anywhere, and whether `.` takes newlines. */
export interface RegexOptions {
  readonly isWhole: boolean
  readonly dotMatchesNewline: boolean
}

/** What it takes to compile a pattern, in units of `work`. */
function compileWork({ length }: string): number {
  return 200 + 20 * length
}

/** Characters of a text times instructions of a pattern that may be gone through without a look: some ten milliseconds at worst. */
const UNWATCHED_STEPS = 2 ** 20

/** A text that looks at the query's limits while an automaton reads it: nothing else comes to look before the search is over. */
class WatchedText extends String {
  readonly #text: string
  readonly #unitsPerLook: number
  #charsLeft = ITEMS_PER_CHECKPOINT

  /** `steps`: instructions of the pattern, all of which a character may be tried on. */
  constructor(text: string, steps: number) {
    super(text)
    this.#text = text
    this.#unitsPerLook = Math.ceil((ITEMS_PER_CHECKPOINT * steps) / 16)
  }

  override charCodeAt(index: number): number {
    if (--this.#charsLeft < 0) {
      this.#charsLeft = ITEMS_PER_CHECKPOINT
      work(this.#unitsPerLook)
    }
    return this.#text.charCodeAt(index)
  }
}

/** The text as it is searched by a pattern of so many instructions. */
function searched(text: string, steps: number): string {
  // Automata take objects of strings as they take strings.
  return text.length * steps > UNWATCHED_STEPS ? (new WatchedText(text, steps) as unknown as string) : text
}

/** A linear-time regular expression in RE2 syntax. */
export class Regex {
  readonly source: string
  readonly #compiled: RE2JS
  readonly #steps: number

  private constructor(source: string, compiled: RE2JS) {
    this.source = source
    this.#compiled = compiled
    this.#steps = compiled.programSize()
  }

  /** Throws an `Error` whose message says what is wrong with the pattern; a `SluiceError` says that the query must end. */
  static compile(source: string, options: RegexOptions): Regex {
    work(compileWork(source))
    const flags = options.dotMatchesNewline ? '(?s)' : ''
    const wrapped = options.isWhole ? `${flags}^(?:${source})$` : `${flags}${source}`
    // A stray parenthesis would find its other half in those around the pattern.
    if (options.isWhole && source.includes(')')) RE2JS.compile(source)
    try {
      return new Regex(source, RE2JS.compile(wrapped))
    } catch (error) {
      // The message is to be about the pattern as written.
      RE2JS.compile(source)
      throw error
    }
  }

  test(text: string): boolean {
    work(text.length)
    return this.#compiled.test(searched(text, this.#steps))
  }

  /**
   * The replacement for the first match, with `$1`, `${1}`, `$name`, `${name}` filled in and `$$` for a dollar sign;
   * unknown groups are empty. `undefined` when there is no match. `check` is told the length before the text is made.
   */
  expand(text: string, replacement: string, check: (chars: number) => void): string | undefined {
    work(text.length)
    const matcher = this.#compiled.matcher(searched(text, this.#steps))
    if (!matcher.find()) return undefined
    const named = this.#compiled.namedGroups() as Readonly<Record<string, number>>
    const parts: string[] = []
    let chars = 0
    const add = (part: string): void => {
      chars += part.length
      parts.push(part)
    }
    let from = 0
    for (const match of replacement.matchAll(/\$(?:\$|(\w+)|\{(\w+)\})/g)) {
      const [all, bare, braced] = match
      add(replacement.slice(from, match.index))
      from = match.index + all.length
      const name = bare ?? braced
      if (name === undefined) {
        add('$')
        continue
      }
      const group = /^\d+$/.test(name) ? Number(name) : Object.hasOwn(named, name) ? named[name] : undefined
      if (group !== undefined && group <= matcher.groupCount()) add(matcher.group(group) ?? '')
    }
    add(replacement.slice(from))
    check(chars)
    return parts.join('')
  }
}

/** The texts a pattern stands for when it is only an alternation of literals, such as `a|b|c`. */
export function literalAlternatives(source: string): readonly string[] | undefined {
  if (source === '' || /[\\^$.*+?()[\]{}]/.test(source)) return undefined
  return source.split('|')
}

export const regexpDiagnostic = defineDiagnostics('regexp', {
  invalid: (d: { pattern: string; reason: string }) => ({
    message: `This is not a valid regular expression: ${d.reason}.`,
    why: 'Patterns are RE2: no look-around and no back-references, so that every search takes time in proportion to the text.',
  }),
})

/** Start and end of the whole match, then of each group; -1 for a group that took no part. */
export type RegexpMatch = readonly number[]

/**
 * A compiled pattern. Searches run on an automaton, never on the runtime's backtracking engine, so they take time linear
 * in the length of the text whatever the pattern. (A backend may run patterns that it can prove harmless elsewhere.)
 */
export interface Regexp {
  readonly pattern: string
  readonly isFolded: boolean
  /** Names of the groups; the first entry stands for the whole match, unnamed groups are `undefined`. */
  readonly groupNames: readonly (string | undefined)[]
  /** Whether the pattern matches anywhere. */
  test(text: string): boolean
  /** The first match that starts at or after `from`. */
  find(text: string, from?: number): RegexpMatch | undefined
}

/** What is wrong with a pattern; `undefined` when nothing is. Throws a SluiceError when the query must end. */
export function regexpFault(pattern: string): string | undefined {
  work(compileWork(pattern))
  try {
    RE2JS.compile(pattern)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
  }
}

function groupNamesOf(compiled: RE2JS): (string | undefined)[] {
  const names = Array.from<string | undefined>({ length: compiled.groupCount() + 1 })
  for (const [name, index] of Object.entries(compiled.namedGroups())) names[index] = name
  return names
}

/** Compiles RE2 syntax; `.` matches newlines too, unless the pattern says `(?-s)`. Throws `regexp/invalid`, without a position. */
export function compileRegexp(pattern: string, isFolded: boolean): Regexp {
  work(compileWork(pattern))
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(`${isFolded ? '(?is)' : '(?s)'}${pattern}`)
  } catch (error) {
    // What is wrong is told of the pattern as it was written.
    const reason = regexpFault(pattern) ?? String(error)
    throw new SluiceError([regexpDiagnostic('invalid', { pattern, reason }, nowhere)])
  }
  const steps = compiled.programSize()
  return {
    pattern,
    isFolded,
    groupNames: groupNamesOf(compiled),
    test: (text) => {
      work(text.length)
      return compiled.test(searched(text, steps))
    },
    find: (text, from = 0) => {
      work(text.length - from)
      const matcher = compiled.matcher(searched(text, steps))
      if (!matcher.find(from)) return undefined
      const match: number[] = []
      for (let group = 0; group <= matcher.groupCount(); group++) match.push(matcher.start(group), matcher.end(group))
      return match
    },
  }
}
