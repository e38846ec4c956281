import type { Diagnostic } from '../../base/index.ts'
import { templateLimits } from '../../functions/go-template/index.ts'
import { stageFunctions, type LogqlStage, type StageTemplate } from '../../functions/logql/index.ts'
import { goTemplateError, parseGoTemplate } from '../go-template/index.ts'
import { LimitFault } from '../kit/index.ts'
import type { Stage } from './ast.ts'

/** The name of a template in error messages, by kind of stage. */
export type TemplateName = 'line' | 'label'

type TemplateResult = { readonly template: StageTemplate } | { readonly error: string }

/** Parses a template of a stage. Errors have Go's wording. */
export function parseTemplate(text: string, name: TemplateName): TemplateResult {
  const { sourceChars, depth } = templateLimits
  if (text.length > sourceChars) return { error: `template: ${name}: more than ${sourceChars} characters` }
  const faults: Diagnostic[] = []
  try {
    const report = (fault: Diagnostic): void => void faults.push(fault)
    const program = parseGoTemplate(text, { functions: stageFunctions, variables: ['$'], depth, report })
    if (faults[0] === undefined) return { template: { text, program } }
  } catch (error) {
    if (!(error instanceof LimitFault)) throw error
    faults.push(error.diagnostic)
  }
  return { error: goTemplateError(faults[0]!, text, name) }
}

function templateOf(text: string, name: TemplateName): StageTemplate {
  const result = parseTemplate(text, name)
  if ('template' in result) return result.template
  throw new TypeError(`${result.error} (the query was not checked)`)
}

/** Returns a stage with its templates parsed. The stage must have been checked before. */
export function withTemplates<S extends Stage>(
  stage: S,
): Exclude<S, { kind: 'line-format' | 'label-format' }> | LogqlStage {
  if (stage.kind === 'line-format') return { kind: 'line-format', template: templateOf(stage.template, 'line') }
  if (stage.kind !== 'label-format') return stage as Exclude<S, { kind: 'line-format' | 'label-format' }>
  const parts = stage.parts.map(({ label, from: { kind, value } }) =>
    kind === 'label'
      ? { label, from: { kind, value } }
      : { label, from: { kind, template: templateOf(value, 'label') } },
  )
  return { kind: 'label-format', parts }
}
