import { z } from 'zod'
import { invariant } from '../base/index.ts'

/** A JSON Schema (draft 2020-12), as far as this module inspects it. */
export type JsonSchema = { [keyword: string]: unknown }

function idOf(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema as z.ZodType)?.id
}

/**
 * Returns JSON Schemas by id: the given schemas and all named schemas that they reference. `uri` formats references.
 * The schemas describe bodies in the specification's spelling, without the leniency of `decode`.
 */
export function jsonSchemas(
  roots: readonly z.ZodType[],
  uri: (id: string) => string,
): { readonly [id: string]: JsonSchema } {
  const registry = z.registry<{ id?: string; description?: string }>()
  const seen = new Set<z.core.$ZodType>()
  for (const root of roots) collect(root, registry, seen)
  const mapSchema = (value: z.core.$ZodType): JsonSchema => {
    const id = idOf(value)
    if (id !== undefined) return { $ref: uri(id) }
    const { $schema: _, ...schema } = z.toJSONSchema(value, { io: 'input' })
    return schema
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri,
    unrepresentable: ({ zodSchema }) =>
      zodSchema._zod.def.type === 'map'
        ? { type: 'object', additionalProperties: mapSchema(zodSchema._zod.def.valueType) }
        : 'throw',
  })
  return Object.fromEntries(
    Object.entries(schemas)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, { $schema: _schema, $id: _id, ...schema }]) => [id, schema]),
  )
}

/** Collects the named schemas that a schema contains; zod itself lists only those in its registry. */
function collect(
  schema: z.core.$ZodType,
  registry: z.core.$ZodRegistry<{ id?: string | undefined; description?: string | undefined }>,
  seen: Set<z.core.$ZodType>,
): void {
  if (seen.has(schema)) return
  seen.add(schema)
  const meta = z.globalRegistry.get(schema as z.ZodType)
  if (meta !== undefined) registry.add(schema, meta)
  const def = (schema as z.core.$ZodTypes)._zod.def
  switch (def.type) {
    case 'object':
      for (const member of Object.values(def.shape)) collect(member, registry, seen)
      return
    case 'array':
      return collect(def.element, registry, seen)
    case 'map':
    case 'record':
      return collect(def.valueType, registry, seen)
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return collect(def.innerType, registry, seen)
    case 'lazy':
      return collect(def.getter(), registry, seen)
    case 'pipe':
      return collect(def.in, registry, seen)
    case 'union':
      for (const option of def.options) collect(option, registry, seen)
      return
    case 'tuple':
      for (const item of def.items) collect(item, registry, seen)
      return
    default:
      invariant(!('innerType' in def), `schema kind ${def.type} hides another schema`)
  }
}
