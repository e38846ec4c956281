export { YamlDocument } from './document.ts'
export type { YamlValue } from './value.ts'
