import { isError, spanOf, type Span } from '../../base/index.ts'
import type { ParameterScalar } from '../parameter-values.ts'
import { findPlaceholders, type Candidate, type Placeholders } from '../placeholders.ts'
import { printDurationMs } from './text/number-text.ts'
import { bindPromql } from './parameters.ts'
import { parsePromql, parsePromqlOrThrow, type PromqlOptions } from './parse.ts'
import { prettyPromql } from './pretty.ts'

/**
 * Returns the spellings of a number in printed output: as a range in a text, as a duration in a plan, and as a time.
 */
function numberForms(value: ParameterScalar): readonly string[] {
  return [printDurationMs(Number(value) * 1000), `${Number(value) * 1000}ms`, Number(value).toFixed(3)]
}

const candidates: readonly Candidate[] = [
  { values: (i) => [731_010 + i, 732_010 + i], forms: numberForms },
  { values: (i) => [`zqa${i}qz`, `zqb${i}qz`] },
]

function isWithin(inner: Span, outer: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}

/** Finds stand-in values for the parameters of an expression; `undefined` if it has none. */
export function promqlPlaceholders(text: string, options: PromqlOptions = {}): Placeholders | undefined {
  const { uses } = bindPromql(text)
  if (uses.length === 0) return undefined
  const names = [...new Set(uses.map(({ name }) => name))]
  return findPlaceholders(names, candidates, (parameters) => {
    const faults = parsePromql(text, { ...options, parameters }).diagnostics.filter(isError)
    const spans = faults.flatMap(({ origin }) => spanOf(origin) ?? [])
    const at = uses.filter(({ written }) => spans.some((span) => isWithin(span, written)))
    const around = uses.filter(({ written }) => spans.some((span) => isWithin(written, span)))
    return (at.length > 0 ? at : around).map(({ name }) => name)
  })
}

/**
 * Formats an expression; parameters appear by name. Returns the text unchanged if its layout depends on parameter
 * values. Throws SluiceError if the text has errors.
 */
export function formatPromql(text: string, options: PromqlOptions = {}): string {
  const open = options.parameters === undefined ? promqlPlaceholders(text, options) : undefined
  const laidOut = (parameters: PromqlOptions['parameters']): string =>
    prettyPromql(parsePromqlOrThrow(text, { ...options, parameters }))
  if (open === undefined) return laidOut(options.parameters)
  return open.text([laidOut(open.values(0)), laidOut(open.values(1))]) ?? text
}
