import { SluiceError } from '../../base/index.ts'
import { canonText, vocabularyOf, type ParameterValue } from '../../lang/log/index.ts'
import { answerOf, difference, isSampleRefused } from '../answer.ts'
import { fingerprintOf } from '../fingerprint-of.ts'
import { backendNames } from '../subject.ts'
import type { Oracle } from './oracle.ts'

const NAME = 'drawn_value'
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`
const NUMBER = String.raw`(?<![\w.:/+\-$])\d+(?:\.\d+)?(?:ms|s|m|h|d)?(?![\w.:/*\-])`
const LISTS = new RegExp(String.raw`(?<=\b(?:in|contains_any|contains_all)\()${QUOTED}(?:, ${QUOTED})*(?=\))`, 'g')
/** Matches literals. A quoted string matches as a whole, so that a number inside it does not count as a literal. */
const LITERALS = new RegExp(`${QUOTED}|'(?:[^'\\\\]|\\\\.)*'|\`[^\`]*\`|${NUMBER}`, 'g')

interface Literal {
  readonly start: number
  readonly end: number
  readonly value: ParameterValue
}

function valueOf(written: string): ParameterValue | undefined {
  try {
    if (written.startsWith('"')) return JSON.parse(written) as string
  } catch {
    // The escape is not valid in JSON.
    return undefined
  }
  if (/^['`]/.test(written)) return undefined
  if (/[a-z]$/.test(written)) return written
  return String(Number(written)) === written ? Number(written) : undefined
}

function literalsOf(text: string): readonly Literal[] {
  const found: Literal[] = []
  for (const { 0: written, index: start } of text.matchAll(LITERALS)) {
    const value = valueOf(written)
    if (value !== undefined) found.push({ start, end: start + written.length, value })
  }
  for (const { 0: written, index: start } of text.matchAll(LISTS)) {
    const end = start + written.length
    const inner = found.filter((each) => each.start >= start && each.end <= end)
    found.push({ start, end, value: inner.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])) })
  }
  return found
}

/**
 * Errors that are valid when a parameter replaces a literal: a quoted literal may be a name, and a string cannot
 * replace a number.
 */
const refusals: readonly string[] = ['log/parameter-as-name', 'log/bad-parameter']

/** A query whose literal was replaced by a parameter gives the same answer. */
export const parametersAreValues: Oracle = {
  name: 'parameters-are-values',
  check: async ({ text, subject, model, random }) => {
    const literals = literalsOf(text)
    if ('error' in model || literals.length === 0) return undefined
    const { start, end, value } = random.pick(literals)
    const written = `${text.slice(0, start)}$${NAME}${text.slice(end)}`
    const description = `${written} with ${JSON.stringify(value)}`
    const backend = random.pick(backendNames)
    try {
      const plan = subject.lowered(written, { [NAME]: value })
      const answer = await answerOf(() => subject.queryPlan(plan, backend))
      if (isSampleRefused(answer, () => plan)) return undefined
      // An unnamed result column is named after the text of its expression, in which the parameter shows.
      const shown = JSON.stringify([plan, answer], (_, each: unknown) => (typeof each === 'bigint' ? `${each}` : each))
      if (shown.includes(`$${NAME}`)) return undefined
      const found = difference(model, answer)
      if (found !== undefined) return `${description} answers otherwise on ${backend}: ${found}`
      const { dialect, extend = {} } = subject.setting
      const printed = dialect === 'native' ? canonText(written, { vocabulary: vocabularyOf(extend) }) : written
      if (!printed.includes(`$${NAME}`)) return `${written} is printed without its parameter: ${printed}`
      const again = fingerprintOf(subject.lowered(printed, { [NAME]: value }))
      return again === fingerprintOf(plan)
        ? undefined
        : `${description} is printed as ${printed}, which has another plan`
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      return refusals.includes(error.code) ? undefined : `${description} is refused: ${error.message}`
    }
  },
}
