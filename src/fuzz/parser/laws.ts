import { applyFix, isError, spanOf, type Diagnostic } from '../../base/index.ts'
import { PlanEngine } from '../../engine/index.ts'
import { canon, format, parse } from '../../lang/log/index.ts'
import type { Dialect } from '../../plan/index.ts'
import { fuzzBaseNs } from '../dataset.ts'

/** Slow checks, each with the share of cases in which it runs. */
export const shares = { check: 0.04, format: 0.1, fixes: 0.1 } as const

export interface ParserOptions {
  readonly dialect: Dialect
  readonly parts: { readonly check: boolean; readonly format: boolean; readonly fixes: boolean }
}

/** Result of parsing a text in every way. */
export interface ParserReport {
  /** Description of the first bug that shows; `undefined` if none does. */
  readonly fault: string | undefined
  readonly isSound: boolean
  readonly codes: readonly string[]
}

const engine = new PlanEngine({ backends: [] })

function outside(text: string, diagnostics: readonly Diagnostic[]): string | undefined {
  for (const { origin, code, message } of diagnostics) {
    const where = spanOf(origin)
    if (where === undefined) continue
    const isInside = where.start >= 0 && where.start <= where.end && where.end <= text.length
    if (!isInside) return `${code} at ${where.start} to ${where.end} of ${text.length}`
    if (message === '') return `${code} says nothing`
  }
  return undefined
}

function report(text: string, { dialect, parts }: ParserOptions): ParserReport {
  const { ast, diagnostics } = parse(text, { dialect })
  const codes = diagnostics.map(({ code }) => code)
  const isSound = !diagnostics.some(isError)
  const found = (fault: string | undefined): ParserReport => ({ fault, isSound, codes })
  const span = outside(text, diagnostics)
  if (span !== undefined) return found(`a place is not in the text: ${span}`)
  if (parts.fixes) {
    for (const { code, fixes } of diagnostics) {
      for (const fix of fixes) {
        const made = applyFix(text, fix)
        const isUnread = code === 'log/foreign-form' && parse(made, { dialect }).diagnostics.some(isError)
        if (isUnread) return found(`is written here as ${made}, which is refused`)
      }
    }
  }
  if (parts.check) {
    const wrong = outside(text, engine.check(text, { dialect, nowNs: fuzzBaseNs }))
    if (wrong !== undefined) return found(`a place is not in the text: ${wrong}`)
  }
  if (!isSound) return found(undefined)
  const printed = canon(ast, dialect)
  if (printed !== text) {
    const again = parse(printed, { dialect })
    const refusal = again.diagnostics.find(isError)
    if (refusal !== undefined) return found(`printed ${printed}, which is refused: ${refusal.message}`)
    const twice = canon(again.ast, dialect)
    if (twice !== printed) return found(`printed ${printed}, printed again ${twice}`)
  }
  if (parts.format) {
    const laidOut = format(text, { dialect })
    const once = canon(parse(laidOut, { dialect }).ast, dialect)
    if (once !== printed) return found(`laid out ${laidOut}, which reads ${once} instead of ${printed}`)
    if (format(laidOut, { dialect }) !== laidOut) return found(`laid out ${laidOut}, which is laid out otherwise`)
  }
  return found(undefined)
}

/** Parses a text in every way. Any exception is a bug. */
export function tell(text: string, options: ParserOptions): ParserReport {
  try {
    return report(text, options)
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : error
    return { fault: `throws ${String(stack)}`, isSound: false, codes: [] }
  }
}
