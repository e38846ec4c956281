import { spanOf, type Diagnostic } from '../../base/index.ts'
import {
  ExpansionFault,
  positionText,
  TemplateError,
  templateLimits,
  type GoList,
} from '../../functions/go-template/index.ts'
import { LimitFault } from '../../lang/kit/index.ts'
import type { TemplateData, TemplateQuery } from './data.ts'
import { samplesValue } from './functions/index.ts'
import { expandGo, parseGo } from './go.ts'
import { expandJinja, parseJinja } from './jinja/index.ts'
import { EvaluatedExpansion, EvaluationBudget, expansionLimits } from './limits.ts'

/** An unsupported part of a template, which is copied to the output unchanged. */
export interface TemplateWarning {
  readonly message: string
  /** Offset in the template, in UTF-16 units. */
  readonly offset: number
}

/** Returns the answer to a query inside a template. Throws UnansweredQuery if the query has not been run yet. */
type Answers = (text: string) => GoList

type Expand = (data: TemplateData, query: Answers, budget: EvaluatedExpansion) => string

/** Interrupts an expansion to run a query. */
class UnansweredQuery extends Error {
  readonly text: string

  constructor(text: string) {
    super('a query has not run yet')
    this.text = text
  }
}

/** A parsed template of a label, annotation or notification text. */
export class Template {
  readonly warnings: readonly TemplateWarning[]
  readonly #source: string
  readonly #expand: Expand

  private constructor(source: string, expand: Expand, warnings: readonly TemplateWarning[]) {
    this.#source = source
    this.#expand = expand
    this.warnings = warnings
  }

  /** Parses a template: Go's `text/template` with Prometheus's functions, or a subset of Jinja. Throws TemplateError. */
  static parse(source: string, language: 'go' | 'jinja2' = 'go'): Template {
    const { sourceChars, depth } = templateLimits
    if (source.length > sourceChars) {
      throw new TemplateError(`The template has more than ${sourceChars} characters.`, sourceChars)
    }
    const warnings: TemplateWarning[] = []
    const warn = (message: string, offset: number): void => void warnings.push({ message, offset })
    try {
      if (language === 'go') {
        const program = parseGo(source, depth, refuse)
        const expand: Expand = (data, query, budget) => budget.run(() => expandGo(program, { data, budget, query }))
        return new Template(source, expand, warnings)
      }
      const nodes = parseJinja(source, depth, refuse, warn)
      const expand: Expand = (data, _, budget) => budget.run(() => expandJinja(nodes, data, budget))
      return new Template(source, expand, warnings)
    } catch (error) {
      if (error instanceof LimitFault) refuse(error.diagnostic)
      throw error
    }
  }

  /**
   * Returns the expanded text, or `<error expanding template: …>` if the expansion fails. The expansion restarts after
   * each new query, so equal queries run once; at most `expansionLimits.queries` run. Expansions of one evaluation
   * share a budget.
   */
  async expand(data: TemplateData, query: TemplateQuery, evaluation = new EvaluationBudget()): Promise<string> {
    const answers = new Map<string, GoList | ExpansionFault>()
    const answerTo: Answers = (text) => {
      const answer = answers.get(text)
      if (answer instanceof ExpansionFault) throw answer
      if (answer !== undefined) return answer
      if (answers.size < expansionLimits.queries) throw new UnansweredQuery(text)
      throw new ExpansionFault(`the template runs more than ${expansionLimits.queries} queries`)
    }
    for (;;) {
      try {
        // Cutting a string by bytes may leave incomplete characters.
        const text = this.#expand(data, answerTo, new EvaluatedExpansion(evaluation)).toWellFormed()
        evaluation.addOutput(text.length)
        return text
      } catch (error) {
        if (error instanceof ExpansionFault) return this.#failure(error)
        if (!(error instanceof UnansweredQuery)) throw error
        answers.set(error.text, await answerOrFault(query, error.text, data.nowMs))
      }
    }
  }

  #failure({ message, offset = 0 }: ExpansionFault): string {
    return `<error expanding template: ${positionText(this.#source, offset)}: ${message}>`
  }
}

function refuse({ message, origin }: Diagnostic): never {
  throw new TemplateError(message, spanOf(origin)?.start ?? 0)
}

/** Runs a query. An error becomes a fault that the expansion reports at the position of the call. */
async function answerOrFault(query: TemplateQuery, text: string, nowMs: number): Promise<GoList | ExpansionFault> {
  try {
    return samplesValue(await query(text, nowMs))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return new ExpansionFault(`the query ${JSON.stringify(text)} failed: ${reason}`)
  }
}
