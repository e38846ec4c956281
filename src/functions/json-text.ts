import type { Meter } from '../base/index.ts'
import { isEmptyValue, JsonText, toText, valueToJson, type Value } from '../data/index.ts'
import { TextBuilder } from './text/text-builder.ts'

/** Formats a list of values as JSON. `maker` is the name of the function for messages. */
export function jsonArray(values: readonly Value[], meter: Meter, maker: string, form = typedJson): JsonText {
  return rawArray(values, form.print, meter, maker)
}

/** Formats a list as JSON; `print` formats each item. */
export function rawArray<T>(items: readonly T[], print: (item: T) => string, meter: Meter, maker: string): JsonText {
  meter.items(items.length, maker)
  const text = new TextBuilder(meter, maker)
  text.add('[')
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text.add(',')
    text.add(print(items[i] as T))
  }
  text.add(']')
  return new JsonText(text.text())
}

/** How values are written as JSON: with their types, or all as strings (for `logsql`). */
export interface JsonForm {
  readonly print: (value: Value) => string
  /** True if objects omit a field with this value. */
  readonly isLeftOut: (value: Value) => boolean
}

export const typedJson: JsonForm = { print: valueToJson, isLeftOut: (value) => value === null }
export const textJson: JsonForm = { print: (value) => JSON.stringify(toText(value)), isLeftOut: isEmptyValue }

/** Returns the name of the variant of a JSON function that writes only strings. */
export function asTextsName(name: string): string {
  return `${name}-as-texts`
}

/** Formats fields as a JSON object, without the fields that the form omits. */
export function jsonObject(
  fields: Iterable<readonly [string, Value]>,
  meter: Meter,
  maker: string,
  form = typedJson,
): JsonText {
  const text = new TextBuilder(meter, maker)
  let separator = '{'
  for (const [name, value] of fields) {
    if (form.isLeftOut(value)) continue
    text.add(`${separator}${JSON.stringify(name)}:`)
    text.add(form.print(value))
    separator = ','
  }
  text.add(separator === '{' ? '{}' : '}')
  return new JsonText(text.text())
}
