import type { Program } from '../../functions/go-template/index.ts'
import { GoParser } from './parser.ts'
import { goSession, type GoTemplateOptions } from './pipeline-parser.ts'
import { scan } from './tokens.ts'

export { goTemplateError } from './go-errors.ts'
export * from './lexing.ts'
export { unquote } from './literals.ts'
export type { GoTemplateOptions } from './pipeline-parser.ts'

let parser: GoParser | undefined

/** Parses a template of Go's `text/template`. Throws LimitFault if it is nested deeper than the options allow. */
export function parseGoTemplate(source: string, options: GoTemplateOptions): Program {
  parser ??= new GoParser()
  return parser.read(parser.program, scan(source), goSession(source, options))
}
