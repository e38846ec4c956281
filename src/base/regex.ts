import { RE2JS } from 're2js'
import { SluiceError, defineDiagnostics } from './diagnostics/diagnostic.ts'
import { nowhere } from './diagnostics/origin.ts'
import { ITEMS_PER_CHECKPOINT } from './tuning.ts'
import { work } from './work.ts'

/** Matching mode of a pattern: against the whole value or anywhere in it, and `.` with or without newlines. */
export interface RegexOptions {
  readonly isWhole: boolean
  readonly dotMatchesNewline: boolean
}

/** Returns the cost of compiling a pattern in units of `work`. */
function compileWork({ length }: string): number {
  return 200 + 20 * length
}

/**
 * Searches whose text length times pattern instructions is at most this need no checkpoint: they take some ten
 * milliseconds in the worst case.
 */
const UNWATCHED_STEPS = 2 ** 20

/** A string that passes a checkpoint whenever the automaton reads a character. Nothing else can interrupt a search. */
class WatchedText extends String {
  readonly #text: string
  readonly #unitsPerCheckpoint: number
  #charsLeft = ITEMS_PER_CHECKPOINT

  /** `steps` is the number of instructions of the pattern, the maximum number of steps per character. */
  constructor(text: string, steps: number) {
    super(text)
    this.#text = text
    this.#unitsPerCheckpoint = Math.ceil((ITEMS_PER_CHECKPOINT * steps) / 16)
  }

  override charCodeAt(index: number): number {
    if (--this.#charsLeft < 0) {
      this.#charsLeft = ITEMS_PER_CHECKPOINT
      work(this.#unitsPerCheckpoint)
    }
    return this.#text.charCodeAt(index)
  }
}

/**
 * Returns the string to search: with checkpoints if the search may be long. `steps` is the number of instructions of
 * the pattern.
 */
function searched(text: string, steps: number): string {
  // The automaton accepts any object with the methods of a string.
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

  /**
   * Throws an `Error` that describes what is wrong with the pattern. A `SluiceError` means that the query must stop.
   */
  static compile(source: string, options: RegexOptions): Regex {
    work(compileWork(source))
    const flags = options.dotMatchesNewline ? '(?s)' : ''
    const wrapped = options.isWhole ? `${flags}^(?:${source})$` : `${flags}${source}`
    // Compiled as written first: in the group that `wrapped` adds, an unmatched `)` would close that group and go
    // unnoticed.
    if (options.isWhole && source.includes(')')) RE2JS.compile(source)
    try {
      return new Regex(source, RE2JS.compile(wrapped))
    } catch (error) {
      // Compiled again as written, so that the error's message is about the original pattern.
      RE2JS.compile(source)
      throw error
    }
  }

  test(text: string): boolean {
    work(text.length)
    return this.#compiled.test(searched(text, this.#steps))
  }

  /**
   * Returns the replacement for the first match; `undefined` if there is no match. `$1`, `${1}`, `$name` and `${name}`
   * are replaced by groups, `$$` by a dollar sign; unknown groups are empty. `check` receives the length before the
   * string is made.
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

/** Returns the literals of a pattern that is only an alternation of literals, such as `a|b|c`; else `undefined`. */
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

/** Offsets: start and end of the whole match, then of each group; -1 for a group that did not match. */
export type RegexpMatch = readonly number[]

/**
 * A compiled pattern. Searches use an automaton, not the backtracking engine of the runtime, so they take time linear
 * in the length of the string. A backend may run a pattern in another engine if it can prove the pattern safe.
 */
export interface Regexp {
  readonly pattern: string
  readonly isFolded: boolean
  /** The names of the groups; `undefined` for the whole match, which is the first entry, and for unnamed groups. */
  readonly groupNames: readonly (string | undefined)[]
  /** Returns whether the pattern matches anywhere in the string. */
  test(text: string): boolean
  /** Returns the first match that starts at or after `from`. */
  find(text: string, from?: number): RegexpMatch | undefined
}

/** Returns what is wrong with a pattern; `undefined` if it is valid. Throws a SluiceError if the query must stop. */
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

/**
 * Compiles a pattern in RE2 syntax. `.` also matches newlines unless the pattern contains `(?-s)`. Throws
 * `regexp/invalid` without a position.
 */
export function compileRegexp(pattern: string, isFolded: boolean): Regexp {
  work(compileWork(pattern))
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(`${isFolded ? '(?is)' : '(?s)'}${pattern}`)
  } catch (error) {
    // The message must quote the original pattern, not the extended one.
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
