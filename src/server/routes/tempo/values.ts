import { z } from 'zod'
import { durationText } from '../../../functions/go-template/format/index.ts'
import type { Operand } from '../../../engine/traceql/index.ts'
import { assertNever } from '../../../base/index.ts'

/** A typed value as in OTLP/JSON. */
export type TypedValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number | string }
  | { readonly boolValue: boolean }
  | { readonly arrayValue: { readonly values: readonly TypedValue[] } }

const typedValueSchema: z.ZodType<TypedValue> = z
  .union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
    z.strictObject({ doubleValue: z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])]) }),
    z.strictObject({ boolValue: z.boolean() }),
    z.strictObject({
      get arrayValue() {
        return z.strictObject({ values: z.array(typedValueSchema) })
      },
    }),
  ])
  .meta({ id: 'TempoValue', description: 'A value with its type, as in OTLP/JSON.' })

/** Schema of fields or labels with their values. */
export const attributeList = z.array(z.strictObject({ key: z.string(), value: typedValueSchema }))

/** Converts a value to its JSON form: durations and enum values become strings, a missing value the string `nil`. */
export function typedValue(value: Operand | undefined): TypedValue {
  switch (value?.type) {
    case undefined:
      return { stringValue: 'nil' }
    case 'string':
    case 'status':
    case 'kind':
      return { stringValue: value.value }
    case 'duration':
      return { stringValue: durationText(value.value) }
    case 'int':
      return { intValue: String(value.value) }
    case 'float':
      return { doubleValue: Number.isFinite(value.value) ? value.value : String(value.value) }
    case 'bool':
      return { boolValue: value.value }
    case 'array':
      return { arrayValue: { values: value.items.map(typedValue) } }
    default:
      return assertNever(value)
  }
}

/** A value in a list of tag values: its type and text. A member with an empty text is left out. */
export interface TagValue {
  readonly type: string
  readonly value?: string
}

export const tagValueSchema = z.strictObject({
  type: z.enum(['string', 'int', 'float', 'bool', 'duration', 'keyword', 'array']),
  value: z.string().optional(),
})

function tagType(value: Operand): string {
  return value.type === 'status' || value.type === 'kind' ? 'keyword' : value.type
}

/** Formats a value for a list. Doubles always have a fraction. */
export function tagText(value: Operand): string {
  switch (value.type) {
    case 'float':
      return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value)
    case 'duration':
      return durationText(value.value)
    case 'array':
      return value.items.map(tagText).join()
    default:
      return String(value.value)
  }
}

export function tagValue(value: Operand): TagValue {
  const text = tagText(value)
  return text === '' ? { type: tagType(value) } : { type: tagType(value), value: text }
}
