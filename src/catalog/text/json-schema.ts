import { jsonSchemas } from '../../wire/index.ts'
import { catalogSchema } from './schema.ts'

/** Returns the JSON Schema of a catalog file, for editors. */
export function catalogJsonSchema(): Readonly<Record<string, unknown>> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Catalog',
    description: 'Tables of other databases as Sluice reads them. Generated from the validating schemas.',
    $ref: '#/$defs/Catalog',
    $defs: jsonSchemas([catalogSchema], (id) => `#/$defs/${id}`),
  }
}
