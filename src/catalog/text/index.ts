export { catalogJsonSchema } from './json-schema.ts'
export { readCatalog } from './read-file.ts'
