import { utf8Length } from '../../data/index.ts'
import {
  ExpansionBudget,
  ExpansionFault,
  Interpreter,
  LookupMap,
  type FaultPlace,
  type Program,
} from '../go-template/index.ts'
import { stageFunctions, type TemplateData } from './template/index.ts'

/** A template of `line_format` or `label_format`, with the text that it was read from. */
export interface StageTemplate {
  readonly text: string
  readonly program: Program
}

/** Longest output, UTF-16 units: several of the longest lines that senders write, which have 256 KiB. */
const MAX_OUTPUT_CHARS = 1024 * 1024

export type TemplateResult = { readonly text: string } | { readonly error: string }

/** Returns the place of a fault as Go shows it: line from 1, byte in the line from 0, and the failed part. */
function placeText(text: string, go: NonNullable<FaultPlace['go']>, name: string): string {
  const { offset, text: part, template = name } = go
  const lines = text.slice(0, offset).split('\n')
  return `${name}:${lines.length}:${utf8Length(lines.at(-1) ?? '')}: executing ${JSON.stringify(template)} at <${part}>`
}

/** Returns a function that expands a template for an entry; `name` is its name in errors, which are in Go's words. */
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
      // Cutting a string by bytes may leave parts of characters.
      return { text: interpreter.expand(dot, new Map([['$', dot]])).toWellFormed() }
    } catch (error) {
      if (!(error instanceof ExpansionFault)) throw error
      const place = error.place?.go === undefined ? name : placeText(text, error.place.go, name)
      return { error: `template: ${place}: ${error.go}` }
    }
  }
}
