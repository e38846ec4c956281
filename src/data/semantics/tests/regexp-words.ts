import { needsOfLiteral, type Edge } from './word-need.ts'
import type { WordNeed } from './ops.ts'

/** A literal part of a pattern that every match contains. */
interface Run {
  readonly text: string
  readonly left: Edge
  readonly right: Edge
}

/** Returns the index after the character class that begins at `start`. */
function afterClass(pattern: string, start: number): number {
  let i = start + 1
  if (pattern[i] === '^') i++
  if (pattern[i] === ']') i++
  for (; i < pattern.length && pattern[i] !== ']'; i++) {
    if (pattern[i] === '\\') i++
    else if (pattern.startsWith('[:', i)) i = Math.max(i, pattern.indexOf(':]', i))
  }
  return i + 1
}

/** Returns the index after the group that begins at `start`. */
function afterGroup(pattern: string, start: number): number {
  let depth = 0
  let i = start
  while (i < pattern.length) {
    const char = pattern[i]
    if (char === '[') {
      i = afterClass(pattern, i)
      continue
    }
    if (char === '\\') i++
    else if (char === '(') depth++
    else if (char === ')' && --depth === 0) return i + 1
    i++
  }
  return i
}

/**
 * Returns whether an escaped character is a literal. Letters and digits after a backslash are classes, anchors or
 * codes.
 */
function isEscapedLiteral(char: string | undefined): char is string {
  return char !== undefined && !/[0-9A-Za-z]/.test(char)
}

/** Matches a group of flags. Patterns with this rare element are not analysed. */
const unread = /^\(\?[a-zA-Z-]*[):]/

/**
 * Returns the literal parts that every match contains; `undefined` for patterns with alternatives, flags or quotation.
 */
function literalRuns(pattern: string): readonly Run[] | undefined {
  const runs: Run[] = []
  let text = ''
  let left: Edge = 'open'
  const end = (right: Edge = 'open'): void => {
    if (text !== '') runs.push({ text, left, right })
    text = ''
    left = 'open'
  }
  for (let i = 0; i < pattern.length;) {
    const char = pattern[i]
    switch (char) {
      case '|':
        return undefined
      case '\\':
        if (pattern[i + 1] === 'Q') return undefined
        if (isEscapedLiteral(pattern[i + 1])) text += pattern[i + 1]
        else end()
        i += 2
        break
      case '[':
        end()
        i = afterClass(pattern, i)
        break
      case '(':
        if (pattern.startsWith('(?', i) && unread.test(pattern.slice(i)) && !pattern.startsWith('(?:', i))
          return undefined
        end()
        i = afterGroup(pattern, i)
        break
      case '^':
        end()
        if (i === 0) left = 'boundary'
        i++
        break
      case '$':
        end(i === pattern.length - 1 ? 'boundary' : 'open')
        i++
        break
      case '.':
      case '+':
        end()
        i++
        break
      case '*':
      case '?':
      case '{':
        // The quantifier makes the last character optional, so it is removed.
        text = Array.from(text).slice(0, -1).join('')
        end()
        i = char === '{' && pattern.includes('}', i) ? pattern.indexOf('}', i) + 1 : i + 1
        break
      default:
        text += char
        i++
    }
  }
  end()
  return runs
}

/** Returns words that every string matching the pattern contains. */
export function needsOfRegexp(pattern: string): readonly WordNeed[] {
  return (literalRuns(pattern) ?? []).flatMap(({ text, left, right }) => needsOfLiteral(text, left, right))
}
