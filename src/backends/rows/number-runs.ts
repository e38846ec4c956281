/**
 * Pattern for a position at which a number may start: not after a word character, except after one of a few letters.
 */
const START = String.raw`(?<![\w--[_TXxvshm]])`

/** Pattern for the digits of a number; it may be followed by one of a few letters, but no other word character. */
const NUMBER = String.raw`(?:\d+|(?:[\da-fA-F]{2}){2,})(?![\w--[_TZsmhun]])`

/**
 * Strings that become one placeholder: the pattern of the string, the pattern of what may follow, and the placeholder.
 * Applied in this order.
 */
const GROUPS: readonly (readonly [string, RegExp, string])[] = [
  ['<N>-<N>-<N>-<N>-<N>', /^(?!)/, '<UUID>'],
  ['<N>.<N>.<N>.<N>', /^(?!)/, '<IP4>'],
  ['<N>:<N>:<N>', /^[.,]<N>/, '<TIME>'],
  ['<N>-<N>-<N>', /^(?!)/, '<DATE>'],
  ['<N>/<N>/<N>', /^(?!)/, '<DATE>'],
  ['<DATE>T<TIME>', /^(?:Z|[+-]<N>:<N>)/, '<DATETIME>'],
  ['<DATE> <TIME>', /^(?:Z|[+-]<N>:<N>)/, '<DATETIME>'],
]

export function foldNumbers(text: string, isPretty: boolean): string {
  let folded = text.replaceAll(new RegExp(START + NUMBER, 'gv'), '<N>')
  if (!isPretty) return folded
  for (const [group, rest, name] of GROUPS) {
    for (let at = folded.indexOf(group); at !== -1; at = folded.indexOf(group, at + name.length)) {
      folded = folded.slice(0, at) + name + folded.slice(at + group.length).replace(rest, '')
    }
  }
  return folded
}

function numbers(mark: string, count: number): string {
  return Array<string>(count).fill(NUMBER).join(mark)
}

const TIME = String.raw`${numbers(':', 3)}(?:[.,]${NUMBER})?`
const DATE = `(?:${numbers('-', 3)}|${numbers('/', 3)})`
const WORD = String.raw`[\p{L}\p{Nd}_]`

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  '<N>': NUMBER,
  '<UUID>': numbers('-', 5),
  '<IP4>': numbers(String.raw`\.`, 4),
  '<TIME>': TIME,
  '<DATE>': DATE,
  // The complete time is matched without backtracking before the zone.
  '<DATETIME>': String.raw`${DATE}[T ](?=(?<rest>${TIME}))\k<rest>(?:Z|[+\-]${numbers(':', 2)})?`,
  '<W>': String.raw`(?:"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|${'`[^`]*`'}|${WORD}+(?!${WORD}))`,
}

/** True if a string contains the pattern at the position that the mode requires. Placeholders do not backtrack. */
export function matchesPattern(text: string, pattern: string, mode: string): boolean {
  const segments = pattern.split(/(<[A-Z\d]+>)/).map((segment, i, { 0: first }) => {
    const placeholder = PLACEHOLDERS[segment]
    if (placeholder === undefined) return segment.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
    const before = i === 1 && first === '' && segment !== '<W>' ? START : ''
    return `${before}(?=(?<p${i}>${placeholder.replaceAll('rest>', `rest${i}>`)}))\\k<p${i}>`
  })
  const start = mode === 'full' || mode === 'prefix' ? '^' : ''
  const end = mode === 'full' || mode === 'suffix' ? '$' : ''
  return new RegExp(start + segments.join('') + end, 'v').test(text)
}
