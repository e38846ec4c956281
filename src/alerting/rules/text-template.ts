import { Template, type TemplateData, type TemplateQuery } from '../templates/index.ts'

/** A label or an annotation whose value is a template. */
export interface TextTemplate {
  readonly name: string
  /** Never rejects because of the template: the error becomes the value. */
  readonly expand: (data: TemplateData, query: TemplateQuery) => Promise<string>
}

/** Parses the template of a label or an annotation; `prefix` defines further variables. Throws TemplateError. */
export function parseTemplate(name: string, text: string, prefix = ''): TextTemplate {
  const template = Template.parse(prefix + text)
  return { name, expand: (data, query) => template.expand(data, query) }
}
