import { z } from 'zod'

export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Schema of a form body: a list of values for each field. */
export const formBody = z.record(z.string(), z.array(z.string()))

/** Parses a form body for `formBody`. */
export function readForm(bytes: Uint8Array): Record<string, string[]> {
  const fields = Object.create(null) as Record<string, string[]>
  for (const [field, value] of new URLSearchParams(new TextDecoder().decode(bytes))) (fields[field] ??= []).push(value)
  return fields
}

/** Converts the fields of a form body to parameters. */
export function formParameters(body: Readonly<Record<string, readonly string[]>>): URLSearchParams {
  const given = new URLSearchParams()
  for (const [field, values] of Object.entries(body)) for (const value of values) given.append(field, value)
  return given
}
