export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
}

const TOKEN =
  /\s+|\/\/[^\n]*|\/\*[^]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[dgimsuvy]*|[\p{ID_Start}$_#][\p{ID_Continue}$]*|\d[\w.]*|===|!==|=>|&&|\|\||\?\?|\?\.|>>>=?|<<=?|>>=?|[<>]=|\+\+|--|\*\*|[^]/uy
/** Matches the end of an operand. A slash after it means division, not a regular expression. */
const VALUE_END = /^(?:[\p{ID_Continue}$]+|[)\]}]|['"`].*)$/su

/**
 * Returns the tokens of a source file. Blanks, comments, semicolons, and commas before a bracket are left out, because
 * they are only layout.
 */
export function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < source.length;) {
    TOKEN.lastIndex = at
    let text = TOKEN.exec(source)?.[0] ?? source.charAt(at)
    const before = tokens.at(-1)?.text ?? ''
    const isComment = text.startsWith('//') || text.startsWith('/*')
    if (text.startsWith('/') && text.length > 1 && !isComment && VALUE_END.test(before) && before !== 'return')
      text = '/'
    const isLayout = isComment || text === ';' || /^\s/.test(text)
    if (/^[)\]}]$/.test(text) && before === ',') tokens.pop()
    if (!isLayout) tokens.push({ text, start: at, end: at + text.length })
    at += text.length
  }
  return tokens
}
