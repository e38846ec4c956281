import { utf8Length } from '../../data/index.ts'
import {
  ExpansionBudget,
  ExpansionFault,
  Interpreter,
  LookupMap,
  type FaultLocation,
  type Program,
} from '../go-template/index.ts'
import { stageFunctions, type TemplateData } from './template/index.ts'

/** A template of `line_format` or `label_format`, with its source. */
export interface StageTemplate {
  readonly text: string
  readonly program: Program
}

/** Maximum length of the output, UTF-16 units: several times the longest lines that senders write (256 KiB). */
const MAX_OUTPUT_CHARS = 1024 * 1024

export type TemplateResult = { readonly text: string } | { readonly error: string }

/** Formats the location of a fault like Go: the line from 1, the byte in the line from 0, and the part that failed. */
function locationText(text: string, go: NonNullable<FaultLocation['go']>, name: string): string {
  const { offset, text: part, template = name } = go
  const lines = text.slice(0, offset).split('\n')
  return `${name}:${lines.length}:${utf8Length(lines.at(-1) ?? '')}: executing ${JSON.stringify(template)} at <${part}>`
}

/**
 * Compiles a template to a function that expands it for an entry. `name` is the template's name in errors, which have
 * Go's wording.
 */
export function compileTemplate(
  { text, program }: StageTemplate,
  name: 'line' | 'label',
): (data: TemplateData) => TemplateResult {
  return (data) => {
    const dot = new LookupMap(
      () => data.labels(),
      (label) => data.label(label),
    )
    const interpreter = new Interpreter(program, stageFunctions, {
      data,
      budget: new ExpansionBudget(MAX_OUTPUT_CHARS),
    })
    try {
      // Functions that cut strings by bytes may leave incomplete characters.
      return { text: interpreter.expand(dot, new Map([['$', dot]])).toWellFormed() }
    } catch (error) {
      if (!(error instanceof ExpansionFault)) throw error
      const location = error.location?.go === undefined ? name : locationText(text, error.location.go, name)
      return { error: `template: ${location}: ${error.go}` }
    }
  }
}
