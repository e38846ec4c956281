import { RE2JS } from 're2js'

/** How a pattern is meant: whole value or anywhere, and whether `.` takes newlines. */
export interface RegexOptions {
  readonly isWhole: boolean
  readonly dotMatchesNewline: boolean
}

/** A linear-time regular expression in RE2 syntax. */
export class Regex {
  readonly source: string
  readonly #compiled: RE2JS

  private constructor(source: string, compiled: RE2JS) {
    this.source = source
    this.#compiled = compiled
  }

  /** Throws an `Error` whose message says what is wrong with the pattern. */
  static compile(source: string, options: RegexOptions): Regex {
    // On its own first, so that a message and a stray parenthesis are about the pattern as written.
    RE2JS.compile(source)
    const flags = options.dotMatchesNewline ? '(?s)' : ''
    const wrapped = options.isWhole ? `${flags}^(?:${source})$` : `${flags}${source}`
    return new Regex(source, RE2JS.compile(wrapped))
  }

  test(text: string): boolean {
    return this.#compiled.test(text)
  }

  /**
   * The replacement for the first match, with `$1`, `${1}`, `$name`, `${name}` filled in and `$$` for a dollar sign;
   * unknown groups are empty. `undefined` when there is no match.
   */
  expand(text: string, replacement: string): string | undefined {
    const matcher = this.#compiled.matcher(text)
    if (!matcher.find()) return undefined
    const named = this.#compiled.namedGroups() as Readonly<Record<string, number>>
    return replacement.replace(
      /\$(?:\$|(\w+)|\{(\w+)\})/g,
      (all, bare: string | undefined, braced: string | undefined) => {
        const name = bare ?? braced
        if (name === undefined) return all === '$$' ? '$' : ''
        const group = /^\d+$/.test(name) ? Number(name) : Object.hasOwn(named, name) ? named[name] : undefined
        if (group === undefined || group > matcher.groupCount()) return ''
        return matcher.group(group) ?? ''
      },
    )
  }
}

/** The texts a pattern stands for when it is only an alternation of literals, such as `a|b|c`. */
export function literalAlternatives(source: string): readonly string[] | undefined {
  if (source === '' || /[\\^$.*+?()[\]{}]/.test(source)) return undefined
  return source.split('|')
}
