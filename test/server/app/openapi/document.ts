import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { present } from '../../../../src/base/index.ts'
import type { App } from '../../../../src/server/index.ts'
import { JSON_HEADERS, send } from '../../harness/harness.ts'

export type Schema = boolean | { readonly [keyword: string]: unknown }

interface Media {
  readonly schema: Schema
}

interface Operation {
  readonly parameters: readonly { readonly schema?: Schema }[]
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const WORDS = ['type', 'enum', 'const', '$ref', 'oneOf', 'anyOf', 'allOf'] as const

/** The OpenAPI document of an app, prepared for checking answers. */
export class OpenApi {
  readonly document: Document
  readonly #ajv: Ajv2020
  readonly #compiled = new Map<Schema, ValidateFunction>()

  private constructor(document: Document) {
    this.document = document
    this.#ajv = new Ajv2020({ strict: false, formats: { 'date-time': DATE_TIME, uuid: UUID, binary: true } })
    this.#ajv.addSchema({ $id: 'openapi', components: document.components })
  }

  static async of(app: App): Promise<OpenApi> {
    return new OpenApi((await send(app, '/openapi.json', { headers: JSON_HEADERS })).body as Document)
  }

  /** Returns the schema of an operation's answer, or `undefined` if the document lists no such answer. */
  schemaOf(template: string, method: string, status: number, contentType: string): Schema | undefined {
    return present(this.document.paths[template]?.[method.toLowerCase()]).responses[status]?.content?.[contentType]
      ?.schema
  }

  /** Returns the faults of a value; `undefined` if there are none. */
  faults(schema: Schema, value: unknown): string | undefined {
    let validate = this.#compiled.get(schema)
    if (validate === undefined) {
      // References must resolve against the root of the document.
      const text = JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')
      validate = this.#ajv.compile(JSON.parse(text) as object)
      this.#compiled.set(schema, validate)
    }
    return validate(value) ? undefined : this.#ajv.errorsText(validate.errors)
  }

  /** Resolves a reference to its schema. Schemas that are no reference are returned as they are. */
  resolved(schema: Schema): Schema {
    if (typeof schema === 'boolean' || typeof schema['$ref'] !== 'string') return schema
    return this.resolved(
      present(this.document.components.schemas[schema['$ref'].slice('#/components/schemas/'.length)]),
    )
  }

  /** Returns every schema node of the document with its path. */
  nodes(): readonly (readonly [string, Schema])[] {
    const found: [string, Schema][] = []
    const visit = (schema: Schema | undefined, at: string): void => {
      if (schema === undefined) return
      found.push([at, schema])
      if (typeof schema === 'boolean') return
      const many = (keyword: string): Readonly<Record<string, Schema>> =>
        (schema[keyword] ?? {}) as Record<string, Schema>
      for (const keyword of ['properties', 'patternProperties', '$defs']) {
        for (const [name, member] of Object.entries(many(keyword))) visit(member, `${at}/${name}`)
      }
      for (const keyword of ['items', 'additionalProperties', 'propertyNames', 'not']) {
        const member = schema[keyword] as Schema | undefined
        // The schema `false` forbids the member.
        if (member !== false) visit(member, `${at}/${keyword}`)
      }
      for (const keyword of ['prefixItems', 'oneOf', 'anyOf', 'allOf']) {
        Object.values(many(keyword)).forEach((member, i) => visit(member, `${at}/${keyword}/${i}`))
      }
    }
    for (const [name, schema] of Object.entries(this.document.components.schemas)) visit(schema, name)
    for (const [path, methods] of Object.entries(this.document.paths)) {
      for (const [method, { parameters, responses, requestBody }] of Object.entries(methods)) {
        const at = `${method} ${path}`
        parameters.forEach(({ schema }, i) => visit(schema, `${at} parameter ${i}`))
        for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) visit(schema, `${at} ${type}`)
        for (const [status, { content }] of Object.entries(responses)) {
          for (const [type, { schema }] of Object.entries(content ?? {})) visit(schema, `${at} ${status} ${type}`)
        }
      }
    }
    return found
  }
}

/** True if a schema node restricts its value. */
export function isTyped(schema: Schema): boolean {
  return typeof schema === 'object' && WORDS.some((word) => word in schema)
}
