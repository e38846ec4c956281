import { Template, type TemplateData, type TemplateQuery } from '../templates/index.ts'

/** A label or an annotation whose value is a template. */
export interface TextTemplate {
  readonly name: string
  /** Expands the template. Errors of the template become the value instead of rejecting. */
  readonly expand: (data: TemplateData, query: TemplateQuery) => Promise<string>
}

/** Parses the template of a label or annotation; `prefix` defines additional variables. Throws TemplateError. */
export function parseTemplate(name: string, text: string, prefix = ''): TextTemplate {
  const template = Template.parse(prefix + text)
  return { name, expand: (data, query) => template.expand(data, query) }
}
