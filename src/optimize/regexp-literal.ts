/** A regular expression that is only a literal, possibly anchored. */
export interface LiteralRegexp {
  readonly text: string
  readonly isAtStart: boolean
  readonly isAtEnd: boolean
}

const operators = new Set('.*+?()[]{}|^$')

/** Returns the literal of a pattern; `undefined` if the pattern is more than a literal with anchors. */
export function literalRegexp(pattern: string): LiteralRegexp | undefined {
  const isAtStart = pattern.startsWith('^')
  let text = ''
  let isAtEnd = false
  for (let i = isAtStart ? 1 : 0; i < pattern.length; i++) {
    const char = pattern[i]
    if (char === '$' && i === pattern.length - 1) {
      isAtEnd = true
    } else if (char === '\\') {
      const next = pattern[++i]
      // After a backslash only punctuation is literal; letters and digits are classes.
      if (next === undefined || !/[!-/:-@[-`{-~]/.test(next)) return undefined
      text += next
    } else if (char === undefined || operators.has(char)) {
      return undefined
    } else {
      text += char
    }
  }
  return { text, isAtStart, isAtEnd }
}
