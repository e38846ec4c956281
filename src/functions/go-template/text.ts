import { compileRegexp, regexpFault, work, type Regexp, type RegexpMatch } from '../../base/index.ts'
import { ExpansionFault } from './faults.ts'

/** Maps each character of a string. As in Go, a character whose result has several characters stays unchanged. */
function mapChars(text: string, change: (char: string) => string): string {
  return Array.from(text, (char) => {
    const changed = change(char)
    return Array.from(changed).length === 1 ? changed : char
  }).join('')
}

/** Converts to upper case, as Go does. */
export function upperText(text: string): string {
  return mapChars(text, (char) => char.toUpperCase())
}

/** Converts to lower case, as Go does. */
export function lowerText(text: string): string {
  // The lower case of this letter has two characters in JavaScript, but one in Go.
  return mapChars(text, (char) => (char === 'İ' ? 'i' : char.toLowerCase()))
}

/** Compiles a pattern in which `.` does not match newlines. Throws ExpansionFault if the pattern is invalid. */
export function compilePattern(pattern: string): Regexp {
  const fault = regexpFault(pattern)
  if (fault !== undefined) {
    const go = `error parsing regexp: ${fault}`
    throw new ExpansionFault(`${JSON.stringify(pattern)} is not a regular expression: ${fault}`, { go })
  }
  return compileRegexp(`(?-s)${pattern}`, false)
}

const REFERENCE = /\$(?:\$|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu

/** Expands a replacement: `$1`, `${1}`, `$name` and `${name}` become groups of the match, and `$$` a dollar sign. */
function substitute(replacement: string, text: string, match: RegexpMatch, { groupNames }: Regexp): string {
  return replacement.replaceAll(REFERENCE, (_, braced?: string, bare?: string) => {
    const name = braced ?? bare
    if (name === undefined) return '$'
    const group = /^\d+$/.test(name) ? Number(name) : groupNames.lastIndexOf(name)
    const start = group < 0 ? -1 : (match[2 * group] ?? -1)
    return start === -1 ? '' : text.slice(start, match[2 * group + 1])
  })
}

/** The replacement for a match. A literal one has no references to groups. */
interface Replacement {
  readonly replacement: string
  readonly isLiteral: boolean
}

/** Replaces all matches of a pattern. `checkLength` is called with the length of the result so far, and may throw. */
export function replaceMatches(
  pattern: string,
  text: string,
  { replacement, isLiteral }: Replacement,
  checkLength: (chars: number) => void,
): string {
  work(pattern.length * text.length)
  const regexp = compilePattern(pattern)
  let output = ''
  let copied = 0
  for (let from = 0; from <= text.length;) {
    const match = regexp.find(text, from)
    if (match === undefined) break
    const [start = 0, end = 0] = match
    output += text.slice(copied, start)
    // An empty match directly after another match is not replaced.
    if (end > copied || start === 0) output += isLiteral ? replacement : substitute(replacement, text, match, regexp)
    checkLength(output.length)
    copied = end
    const width = String.fromCodePoint(text.codePointAt(from) ?? 0).length
    from = Math.max(end, from + width)
  }
  return output + text.slice(copied)
}
