/** Any JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** The path to a part of a JSON document from its root: member names and array indexes. */
export type JsonPath = readonly (string | number)[]

/** Writes a path as `$.filters.conditions[0].op`. */
export function printJsonPath(path: JsonPath): string {
  let text = '$'
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(step)) text += `.${step}`
    else text += `[${JSON.stringify(step)}]`
  }
  return text
}
