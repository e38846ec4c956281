import { formatPromql, parsePromql, promqlPlaceholders, type Parameters } from '../../../lang/promql/index.ts'
import { firstDifference, isIdentical, runQuery } from '../run-query.ts'
import type { PromqlLaw } from './law.ts'

const NAME = 'drawn_value'
/** Matches texts in quotes of any kind, and numbers with or without a unit. */
const LITERALS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|(?<![\w.:$])\d+(?:\.\d+)?(?:ms|[smhdwy])?(?![\w.:])/g

function valueOf(written: string): Parameters[string] | undefined {
  if (/^['`]/.test(written)) return undefined
  try {
    if (written.startsWith('"')) return JSON.parse(written) as string
  } catch {
    // The escape is not valid in JSON.
    return undefined
  }
  if (/[a-z]$/.test(written)) return written
  return String(Number(written)) === written ? Number(written) : undefined
}

/**
 * Errors that are valid when a parameter replaces a literal: a name cannot be a parameter, and a string with a unit is
 * a duration only where a duration is expected.
 */
const refusals = /\/(?:parameter-as-name|bad-parameter)$/

/** A parameter in place of a literal gives the same answer, and the printed text contains the parameter. */
export const parametersAreValues: PromqlLaw = {
  name: 'parameters-are-values',
  check: async ({ text, startMs, endMs, stepMs, memory, answer, random }) => {
    const literals = [...text.matchAll(LITERALS)].flatMap(({ 0: written, index }) => {
      const value = valueOf(written)
      return value === undefined ? [] : [{ start: index, end: index + written.length, value }]
    })
    if ('error' in answer || literals.length === 0) return undefined
    const { start, end, value } = random.pick(literals)
    const written = `${text.slice(0, start)}$${NAME}${text.slice(end)}`
    const parameters = { [NAME]: value }
    const description = `${written} with ${JSON.stringify(value)}`
    const bound = await runQuery(written, { startMs, endMs, stepMs }, memory, { parameters })
    if ('error' in bound) {
      // A number with a unit is also valid where no duration is expected; a string is not.
      if (refusals.test(bound.error) || typeof value === 'string') return undefined
      return `${description} is refused: ${bound.message}`
    }
    const found = firstDifference(answer.values, bound.values, isIdentical)
    if (found !== undefined) return `${description} answers otherwise: ${found}`
    const open = promqlPlaceholders(written)
    if (open === undefined || parsePromql(written, { parameters: open.values() }).ast === undefined)
      return `${written} is refused without a value`
    const laidOut = formatPromql(written)
    const again = await runQuery(laidOut, { startMs, endMs, stepMs }, memory, { parameters })
    if ('error' in again) return `${description} laid out is refused: ${laidOut}`
    const other = firstDifference(answer.values, again.values, isIdentical)
    return other === undefined ? undefined : `${description} laid out answers otherwise: ${other}`
  },
}
