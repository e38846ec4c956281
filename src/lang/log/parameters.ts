import { nearestNames, spanOf, type Diagnostic, type Span } from '../../base/index.ts'
import { NO_VALUE, parameterText, type Parameters } from '../parameter-values.ts'
import type { BoundParameter } from './bound-parameter.ts'
import { logDiagnostic } from './diagnostics.ts'
import { Parameter, type Token } from './tokens.ts'

function isTextual(value: unknown): boolean {
  return typeof value === 'string' || value instanceof Date
}

function bound(name: string, value: unknown): BoundParameter | undefined {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts = values.map(parameterText)
  if (!texts.every((text) => text !== undefined)) return undefined
  return { name, texts, isList: Array.isArray(value), isText: values.some(isTextual) }
}

/** Parameter values for parsing one text, with the positions at which the text uses them. */
export class Binding {
  readonly #given: Parameters
  /** Names of parameters used so far. The set is shared with the texts of user-defined pipes in the query. */
  readonly #used: Set<string>
  /** Uses of parameters, by start offset in the text. */
  readonly #uses = new Map<number, { readonly name: string; readonly end: number; readonly isBound: boolean }>()

  constructor(given: Parameters, used: Set<string>) {
    this.#given = given
    this.#used = used
  }

  /** Returns the parameter that a name at a position refers to; reports a missing or invalid value. */
  at(name: string, where: Span, report: (diagnostic: Diagnostic) => void): BoundParameter | undefined {
    this.#used.add(name)
    const isGiven = Object.hasOwn(this.#given, name)
    const found = isGiven ? bound(name, this.#given[name]) : undefined
    this.#uses.set(where.start, { name, end: where.end, isBound: found !== undefined })
    if (!isGiven) report(logDiagnostic('missing-parameter', { name, known: Object.keys(this.#given) }, where))
    else if (found === undefined) {
      report(logDiagnostic('bad-parameter', { name, reason: NO_VALUE }, where))
    }
    return found
  }

  /** Returns the tokens with parameters replaced by their values; reports missing or invalid values. */
  bind(tokens: readonly Token[], report: (diagnostic: Diagnostic) => void): Token[] {
    return tokens.map((token) => {
      if (token.tokenType !== Parameter) return token
      const where = { start: token.startOffset, end: token.startOffset + token.image.length }
      const parameter = this.at(token.image.slice(1), where, report)
      return { ...token, value: parameter?.texts[0] ?? '', parameter }
    })
  }

  /**
   * Converts a diagnostic at the position of a parameter to a diagnostic about the parameter's value. `undefined` if
   * the value is missing or invalid, which has been reported already.
   */
  aboutValue(diagnostic: Diagnostic): Diagnostic | undefined {
    const where = spanOf(diagnostic.origin)
    const use = where === undefined ? undefined : this.#uses.get(where.start)
    const isOwn = /\/(?:missing|bad)-parameter$|-as-name$/.test(diagnostic.code)
    if (where === undefined || use === undefined || use.end !== where.end || isOwn) return diagnostic
    if (!use.isBound) return undefined
    return logDiagnostic('bad-parameter', { name: use.name, reason: diagnostic.message }, where)
  }

  /** Returns diagnostics for values whose parameter the text does not use. */
  unused(where: Span): readonly Diagnostic[] {
    const used = [...this.#used]
    return Object.keys(this.#given)
      .filter((name) => !this.#used.has(name))
      .map((name) => logDiagnostic('unused-parameter', { name, used, near: nearestNames(name, used) }, where))
  }
}
