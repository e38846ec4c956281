export type { TemplateData, TemplateQuery, TemplateSample, TemplateValue } from './data.ts'
export { TemplateError } from './faults.ts'
export { EvaluationBudget, templateLimits } from './limits.ts'
export { Template, type TemplateWarning } from './template.ts'
