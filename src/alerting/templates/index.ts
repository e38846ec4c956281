export type { TemplateData, TemplateQuery, TemplateSample, TemplateValue } from './data.ts'
export { TemplateError, templateLimits } from '../../functions/go-template/index.ts'
export { EvaluationBudget } from './limits.ts'
export { Template, type TemplateWarning } from './template.ts'
