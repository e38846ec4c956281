import type { Meter } from '../base/index.ts'
import { isEmptyValue, JsonText, toText, valueToJson, type Value } from '../data/index.ts'
import { TextBuilder } from './text/text-builder.ts'

/** A list of values as answers write them. `maker` is the function that messages name. */
export function jsonArray(values: readonly Value[], meter: Meter, maker: string, form = typedJson): JsonText {
  return rawArray(values, form.print, meter, maker)
}

/** A list whose items are written by `print`. */
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

/** How values stand inside JSON that a function makes: with their types, or in `logsql` all as texts. */
export interface JsonForm {
  readonly print: (value: Value) => string
  /** Whether an object leaves a field out. */
  readonly isLeftOut: (value: Value) => boolean
}

export const typedJson: JsonForm = { print: valueToJson, isLeftOut: (value) => value === null }
export const textJson: JsonForm = { print: (value) => JSON.stringify(toText(value)), isLeftOut: isEmptyValue }

/** What the variant of a function that makes JSON of texts is called. */
export function asTextsName(name: string): string {
  return `${name}-as-texts`
}

/** An object of the fields that are there. */
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
