import { spanOf, type Diagnostic, type Span } from '../../base/index.ts'
import { NO_VALUE, parameterText, type Parameters, type ParameterValue } from '../parameter-values.ts'
import { promqlDiagnostic } from './diagnostics.ts'
import { quoteText } from './text/go-text.ts'
import { readDuration } from './text/number-text.ts'
import { scanString } from './text/string-text.ts'

/** A text in which literals replace the parameters, with a mapping of its positions to the original text. */
export interface BoundPromql {
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
  /** Converts a diagnostic about this text to a diagnostic about the original text. */
  readonly atOriginal: (diagnostic: Diagnostic) => Diagnostic
  /** The parameters with their spans in the original text. */
  readonly uses: readonly { readonly name: string; readonly written: Span }[]
}

/** Kind of value that the position of a parameter requires. */
type ParameterKind = 'matcher' | 'pattern' | 'duration' | 'time' | 'value' | 'name'

type Literal = { readonly literal: string } | { readonly reason: string }

const NAME = /\$[A-Za-z_][A-Za-z0-9_]*/y
const LABEL_LISTS = /(?:^|[^\w:.$])(?:by|without|on|ignoring|group_left|group_right)\s*$/i

function numberLiteral(value: number | bigint): string {
  const text = String(parameterText(value)).replace('+Inf', 'Inf')
  return text.startsWith('-') ? `(${text})` : text
}

function inPattern(texts: readonly string[]): string {
  return texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join('|')
}

function literalOf(value: ParameterValue, kind: ParameterKind): Literal {
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (Array.isArray(value)) {
    const texts = value.map(parameterText)
    if (!texts.every((text) => text !== undefined)) return { reason: NO_VALUE }
    return kind === 'pattern'
      ? { literal: quoteText(inPattern(texts)) }
      : { reason: 'a list stands behind `=~` and `!~` only' }
  }
  const text = parameterText(value)
  if (text === undefined) return { reason: NO_VALUE }
  switch (kind) {
    case 'matcher':
    case 'pattern':
      return { literal: quoteText(text) }
    case 'duration':
      if (isNumber && value >= 0) return { literal: text }
      return typeof value === 'string' && 'value' in readDuration(text)
        ? { literal: text }
        : { reason: 'a duration stands there' }
    case 'time':
      if (value instanceof Date) return { literal: String(value.getTime() / 1000) }
      return isNumber ? { literal: text } : { reason: 'a time stands there: a date, or seconds since the epoch' }
    default:
      if (isNumber) return { literal: numberLiteral(value) }
      return typeof value === 'boolean' ? { reason: 'a number or a text stands there' } : { literal: quoteText(text) }
  }
}

/**
 * Replaces each `$name` by a literal. Scans the text only as far as needed to determine the kind of value that each
 * parameter requires.
 */
class Binder {
  readonly #text: string
  readonly #given: Parameters
  readonly #diagnostics: Diagnostic[] = []
  readonly #used = new Set<string>()
  /** Inserted literals, with their spans in the original and in the new text. */
  readonly #literals: { readonly name: string; readonly written: Span; readonly bound: Span }[] = []
  /** Open brackets, innermost last. `by` represents the parenthesis of a label list. */
  readonly #open: string[] = []
  #bound = ''

  constructor(text: string, given: Parameters) {
    this.#text = text
    this.#given = given
  }

  run(): BoundPromql {
    const text = this.#text
    for (let i = 0; i < text.length;) {
      const end = this.#step(i)
      i = end
    }
    for (const name of Object.keys(this.#given)) {
      if (this.#used.has(name)) continue
      const where = { start: 0, end: text.length }
      this.#diagnostics.push(promqlDiagnostic('unused-parameter', { name, used: [...this.#used] }, where))
    }
    return {
      text: this.#bound,
      diagnostics: this.#diagnostics,
      atOriginal: (diagnostic) => this.#atOriginal(diagnostic),
      uses: this.#literals,
    }
  }

  /** Processes the token at an offset and returns the token's end. */
  #step(start: number): number {
    const text = this.#text
    const char = text.charAt(start)
    let end = start + 1
    if (char === '#') end = /[\r\n]|$/.exec(text.slice(start))!.index + start
    else if ('"\'`'.includes(char)) end = Math.max(end, scanString(text, start).end)
    else if (char === '$') {
      NAME.lastIndex = start
      const found = NAME.exec(text)?.[0]
      if (found !== undefined) return this.#parameter(found.slice(1), { start, end: start + found.length })
    } else if ('([{'.includes(char)) {
      this.#open.push(char === '(' && LABEL_LISTS.test(text.slice(Math.max(0, start - 32), start)) ? 'by' : char)
    } else if (')]}'.includes(char)) this.#open.pop()
    this.#bound += text.slice(start, end)
    return end
  }

  #kindAt(start: number): ParameterKind {
    const before = this.#text.slice(0, start).trimEnd()
    const around = this.#open.at(-1)
    if (around === 'by') return 'name'
    if (around === '{') return /[=!]~$/.test(before) ? 'pattern' : before.endsWith('=') ? 'matcher' : 'name'
    if (this.#open.includes('[') || /(?:^|\W)offset\s*[+-]?$/i.test(before)) return 'duration'
    return before.endsWith('@') ? 'time' : 'value'
  }

  #parameter(name: string, written: Span): number {
    this.#used.add(name)
    const kind = this.#kindAt(written.start)
    let literal = '0'
    if (!Object.hasOwn(this.#given, name)) {
      this.#diagnostics.push(promqlDiagnostic('missing-parameter', { name, known: Object.keys(this.#given) }, written))
    } else if (kind === 'name') this.#diagnostics.push(promqlDiagnostic('parameter-as-name', { name }, written))
    else {
      const found = literalOf(this.#given[name]!, kind)
      if ('literal' in found) literal = found.literal
      else this.#diagnostics.push(promqlDiagnostic('bad-parameter', { name, reason: found.reason }, written))
    }
    const start = this.#bound.length
    this.#bound += literal
    this.#literals.push({ name, written, bound: { start, end: this.#bound.length } })
    return written.end
  }

  #atOriginal(diagnostic: Diagnostic): Diagnostic {
    const where = spanOf(diagnostic.origin)
    if (where === undefined || this.#literals.length === 0) return diagnostic
    const back = (offset: number, isEnd: boolean): number => {
      const substituted = this.#literals.findLast(({ bound }) => (isEnd ? bound.start < offset : bound.start <= offset))
      if (substituted === undefined) return offset
      if (offset <= substituted.bound.end && (isEnd || offset < substituted.bound.end))
        return isEnd ? substituted.written.end : substituted.written.start
      return offset - substituted.bound.end + substituted.written.end
    }
    const span = { start: back(where.start, false), end: back(where.end, true) }
    return { ...diagnostic, origin: { kind: 'text', span }, fixes: [] }
  }
}

/**
 * Replaces parameters by literals: a string in matchers, a duration in ranges and after `offset`, elsewhere a number or
 * string. Strings are quoted, so a value never changes the structure of the expression.
 */
export function bindPromql(text: string, parameters: Parameters = {}): BoundPromql {
  return new Binder(text, parameters).run()
}
