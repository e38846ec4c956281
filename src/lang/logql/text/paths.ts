/** A step into a JSON value: the name of a member, or the index of an element. */
export type PathStep = string | number

interface PathToken {
  readonly kind: 'LSB' | 'RSB' | 'DOT' | 'FIELD' | 'STRING' | 'INDEX' | 'end'
  readonly text: string
}

const TOKEN = /\s*(?:(\[)|(\])|(\.)|([A-Za-z_][A-Za-z0-9_]*)|("[^"]*")|([0-9]+)(?=[\s.\]]))/y
const KINDS = ['LSB', 'RSB', 'DOT', 'FIELD', 'STRING', 'INDEX'] as const

class PathError extends Error {}

/** Reads the tokens of a path. As in Loki, a character that starts no token ends the path. */
class PathReader {
  readonly #text: string
  #at = 0
  #stray: string | undefined

  constructor(text: string) {
    this.#text = text
  }

  next(): PathToken {
    TOKEN.lastIndex = this.#at
    const match = TOKEN.exec(this.#text)
    const i = match === null ? -1 : KINDS.findIndex((_, group) => match[group + 1] !== undefined)
    if (match === null) {
      const rest = this.#text.slice(this.#at).trimStart()
      if (rest !== '') this.#stray = String.fromCodePoint(rest.codePointAt(0)!)
      return { kind: 'end', text: '' }
    }
    this.#at = TOKEN.lastIndex
    return { kind: KINDS[i]!, text: match[i + 1]! }
  }

  /** Throws if a character that is not allowed ended the path. */
  end(): void {
    if (this.#stray !== undefined) throw new PathError(`unexpected char ${this.#stray}`)
  }
}

function unexpected({ kind }: PathToken, expected: readonly string[]): PathError {
  const list = expected.length === 0 ? '' : `, expecting ${expected.join(' or ')}`
  return new PathError(`syntax error: unexpected ${kind === 'end' ? '$end' : kind}${list}`)
}

function readSteps(text: string): readonly PathStep[] {
  const reader = new PathReader(text)
  const steps: PathStep[] = []
  for (;;) {
    let token = reader.next()
    if (token.kind === 'end' && steps.length > 0) {
      reader.end()
      return steps
    }
    if (token.kind === 'DOT' && steps.length > 0) {
      token = reader.next()
      if (token.kind !== 'FIELD') throw unexpected(token, ['FIELD'])
    } else if (token.kind === 'FIELD' && steps.length > 0) throw unexpected(token, [])
    if (token.kind === 'FIELD') {
      steps.push(token.text)
      continue
    }
    if (token.kind !== 'LSB') throw unexpected(token, steps.length === 0 ? ['LSB', 'FIELD'] : [])
    const key = reader.next()
    if (key.kind !== 'STRING' && key.kind !== 'INDEX') throw unexpected(key, ['STRING', 'INDEX'])
    const close = reader.next()
    if (close.kind !== 'RSB') throw unexpected(close, ['RSB'])
    steps.push(key.kind === 'STRING' ? key.text.slice(1, -1) : Number(key.text))
  }
}

/** Returns why a string is not a valid path of a `json` stage, in Loki's wording; `undefined` if the path is valid. */
export function jsonPathFault(text: string): string | undefined {
  try {
    readSteps(text)
    return undefined
  } catch (error) {
    if (error instanceof PathError) return error.message
    throw error
  }
}

/** Returns why a string is not a valid key of a `logfmt` stage, in Loki's wording; `undefined` if the key is valid. */
export function logfmtKeyFault(text: string): string | undefined {
  const [read = '', key = ''] = /^\s*([A-Za-z_][A-Za-z0-9_]*)?\s*/.exec(text) ?? []
  const rest = text.slice(read.length)
  if (key === '') return 'syntax error: unexpected $end, expecting KEY'
  if (rest === '') return undefined
  if (/^[A-Za-z_]/.test(rest)) return 'syntax error: unexpected KEY'
  return `unexpected char ${String.fromCodePoint(rest.codePointAt(0)!)}`
}
