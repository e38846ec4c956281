import { JsonText, valueToJson, type Value } from '../data/index.ts'

/** A list of values as answers write them. */
export function jsonArray(values: readonly Value[]): JsonText {
  return new JsonText(`[${values.map(valueToJson).join(',')}]`)
}

/** An object of the fields that are there. */
export function jsonObject(fields: Iterable<readonly [string, Value]>): JsonText {
  const members: string[] = []
  for (const [name, value] of fields) {
    if (value !== null) members.push(`${JSON.stringify(name)}:${valueToJson(value)}`)
  }
  return new JsonText(`{${members.join(',')}}`)
}
