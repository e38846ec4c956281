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

/** Parameter values of one parse, with their positions. */
export class Binding {
  readonly #given: Parameters
  /** Shared with expanded pipes. */
  readonly #used: Set<string>
  /** Keyed by start offset. */
  readonly #places = new Map<number, { readonly name: string; readonly end: number; readonly isBound: boolean }>()

  constructor(given: Parameters, used: Set<string>) {
    this.#given = given
    this.#used = used
  }

  /** Parameter at a position; its faults are reported. */
  at(name: string, where: Span, report: (diagnostic: Diagnostic) => void): BoundParameter | undefined {
    this.#used.add(name)
    const isGiven = Object.hasOwn(this.#given, name)
    const found = isGiven ? bound(name, this.#given[name]) : undefined
    this.#places.set(where.start, { name, end: where.end, isBound: found !== undefined })
    if (!isGiven) report(logDiagnostic('missing-parameter', { name, known: Object.keys(this.#given) }, where))
    else if (found === undefined) {
      report(logDiagnostic('bad-parameter', { name, reason: NO_VALUE }, where))
    }
    return found
  }

  /** Replaces parameters in tokens by their values. */
  bind(tokens: readonly Token[], report: (diagnostic: Diagnostic) => void): Token[] {
    return tokens.map((token) => {
      if (token.tokenType !== Parameter) return token
      const where = { start: token.startOffset, end: token.startOffset + token.image.length }
      const parameter = this.at(token.image.slice(1), where, report)
      return { ...token, value: parameter?.texts[0] ?? '', parameter }
    })
  }

  /** Converts a fault at a parameter into one of its value; `undefined` if it has no valid value. */
  told(diagnostic: Diagnostic): Diagnostic | undefined {
    const where = spanOf(diagnostic.origin)
    const place = where === undefined ? undefined : this.#places.get(where.start)
    const isOwn = /\/(?:missing|bad)-parameter$|-as-name$/.test(diagnostic.code)
    if (where === undefined || place === undefined || place.end !== where.end || isOwn) return diagnostic
    if (!place.isBound) return undefined
    return logDiagnostic('bad-parameter', { name: place.name, reason: diagnostic.message }, where)
  }

  /** Reports unused values. */
  unused(where: Span): readonly Diagnostic[] {
    const used = [...this.#used]
    return Object.keys(this.#given)
      .filter((name) => !this.#used.has(name))
      .map((name) => logDiagnostic('unused-parameter', { name, used, near: nearestNames(name, used) }, where))
  }
}
