import { parseJsonPlain } from '../../data/index.ts'
import { isObject, prettyJson, type JsonObject } from './model.ts'

/** A text form of a definition. */
export interface TextFormat {
  readonly id: string
  readonly title: string
  readonly print: (value: JsonObject) => string
  readonly parse: (text: string) => { readonly value: JsonObject } | { readonly fault: string }
}

export const NO_OBJECT = 'A definition is an object: names with values.'

export const jsonFormat: TextFormat = {
  id: 'json',
  title: 'JSON',
  print: (value) => `${prettyJson(value)}\n`,
  parse: (text) => {
    try {
      const value = parseJsonPlain(text)
      return isObject(value) ? { value } : { fault: NO_OBJECT }
    } catch (error) {
      return { fault: error instanceof Error ? error.message : String(error) }
    }
  },
}
