import { parseDocument, stringify } from 'yaml'
import type { PlainJson } from '../../../data/index.ts'
import { isObject } from '../../forms/model.ts'
import { NO_OBJECT, type TextFormat } from '../../forms/text-formats.ts'

/** YAML options that match the server. Both directions keep integers beyond 2^53 exact. */
const OPTIONS = { version: '1.2', schema: 'core', intAsBigInt: true, compat: 'yaml-1.1' } as const

function withNumbers(value: unknown): PlainJson {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (Array.isArray(value)) return value.map(withNumbers)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withNumbers(member)]))
  return (value ?? null) as PlainJson
}

export const yamlFormat: TextFormat = {
  id: 'yaml',
  title: 'YAML',
  print: (value) => stringify(value, { ...OPTIONS, aliasDuplicateObjects: false, lineWidth: 0 }),
  parse: (text) => {
    const document = parseDocument(text, OPTIONS)
    const [error] = document.errors
    if (error !== undefined) return { fault: error.message }
    try {
      const value = withNumbers(document.toJS({ maxAliasCount: 100 }))
      return isObject(value) ? { value } : { fault: NO_OBJECT }
    } catch (fault) {
      return { fault: fault instanceof Error ? fault.message : String(fault) }
    }
  },
}
