import type { Meter } from '../base/index.ts'
import { JsonText, valueToJson, type Value } from '../data/index.ts'
import { TextBuilder } from './text/text-builder.ts'

/** A list of values as answers write them. `maker` is the function that messages name. */
export function jsonArray(values: readonly Value[], meter: Meter, maker: string): JsonText {
  return rawArray(values, valueToJson, meter, maker)
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

/** An object of the fields that are there. */
export function jsonObject(fields: Iterable<readonly [string, Value]>, meter: Meter, maker: string): JsonText {
  const text = new TextBuilder(meter, maker)
  let separator = '{'
  for (const [name, value] of fields) {
    if (value === null) continue
    text.add(`${separator}${JSON.stringify(name)}:`)
    text.add(valueToJson(value))
    separator = ','
  }
  text.add(separator === '{' ? '{}' : '}')
  return new JsonText(text.text())
}
