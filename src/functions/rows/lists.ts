import {
  fieldOfJson,
  forEachWord,
  toText,
  type ExactJson,
  type MutableRow,
  type Row,
  type Value,
} from '../../data/index.ts'
import type { CompileRow, RowFunction } from '../definition.ts'
import { jsonArray } from '../json-text.ts'
import { jsonItems } from '../text/json-fields.ts'
import { MeteredItems } from '../text/metered-items.ts'
import { TextBuilder } from '../text/text-builder.ts'
import { jsonTextAt, textAt } from './shared.ts'

interface Ends {
  readonly from: string
  readonly into: string
}

const fromParameter = { name: 'from', text: 'field that is read' }

/** Returns an item as a string; `null` becomes the string `null`. */
function itemText(item: Value): string {
  return item === null ? 'null' : toText(item)
}

export const jsonArrayConcat: RowFunction = {
  name: 'json_array_concat',
  fieldParams: ['from'],
  doc: {
    summary: 'The items of a JSON list as one text.',
    parameters: [{ name: 'separator', text: 'what stands between them' }, fromParameter],
    examples: [{ query: '* | json_array_concat ", " from tags as t | fields t | limit 3' }],
  },
}

export const compileJsonArrayConcat: CompileRow<Ends & { readonly separator: string }> =
  ({ from, into, separator }, { meter }) =>
  (row) => {
    const text = new TextBuilder(meter, 'json_array_concat')
    for (const [i, item] of jsonItems(jsonTextAt(row, from, meter)).entries()) {
      if (i > 0) text.add(separator)
      text.add(itemText(fieldOfJson(item)))
    }
    return row.set(into, text.text())
  }

export const jsonArrayGet: RowFunction = {
  name: 'json_array_get',
  fieldParams: ['from'],
  doc: {
    summary: 'One item of a JSON list; counted from the end when the number is negative.',
    parameters: [{ name: 'index', text: '0 is the first' }, fromParameter],
    examples: [{ query: '* | json_array_get 0 from tags as tag | fields tag | limit 3' }],
  },
}

export const compileJsonArrayGet: CompileRow<Ends & { readonly index: number }> =
  ({ from, into, index }, { meter }) =>
  (row) => {
    const item = jsonItems(jsonTextAt(row, from, meter)).at(index)
    return row.set(into, item === undefined ? null : fieldOfJson(item))
  }

export const unpackWords: RowFunction = {
  name: 'unpack_words',
  fieldParams: ['from'],
  doc: {
    summary: 'The words of a text as a JSON list.',
    parameters: [fromParameter, { name: 'drop_duplicates', text: 'each word once' }],
    examples: [{ query: '* | unpack_words from content as words | fields words | limit 3' }],
  },
}

export const compileUnpackWords: CompileRow<Ends & { readonly isDistinct: boolean }> =
  ({ from, into, isDistinct }, { meter }) =>
  (row) => {
    const words = new MeteredItems(meter, 'unpack_words')
    const seen = new Set<string>()
    forEachWord(textAt(row, from), (word) => {
      if (isDistinct && seen.has(word)) return
      if (isDistinct) seen.add(word)
      words.add(word)
    })
    return row.set(into, jsonArray(words.items, meter, 'unpack_words'))
  }

/** Yields the new rows of one row. A generator, so that each row is created only when it is needed. */
function* unrolled(
  row: MutableRow,
  fields: readonly string[],
  lists: readonly (readonly ExactJson[])[],
  length: number,
  areNullsTexts: boolean,
): Generator<Row> {
  for (let i = 0; i < length; i++) {
    const copy: MutableRow = new Map(row)
    for (const [k, name] of fields.entries()) {
      const item = lists[k]?.[i]
      copy.set(name, item === undefined ? null : item === null && areNullsTexts ? 'null' : fieldOfJson(item))
    }
    yield copy
  }
}

/** The definition of `unroll`. In `logsql`, the item `null` becomes the string `null`. */
export const unroll: RowFunction = {
  name: 'unroll',
  fieldParams: ['fields'],
  doc: {
    summary: 'One row for each item of a JSON list; several lists are walked side by side.',
    parameters: [{ name: 'fields', text: 'fields with lists' }],
    examples: [{ query: '* | unpack_words from content as word | unroll (word) | stats by (word) count() n' }],
  },
}

export const compileUnroll: CompileRow<{ readonly fields: readonly string[]; readonly areNullsTexts?: boolean }> =
  ({ fields, areNullsTexts = false }, { meter }) =>
  (row): Iterable<Row> => {
    const lists = fields.map((name) => jsonItems(jsonTextAt(row, name, meter)))
    const length = Math.max(1, ...lists.map((list) => list.length))
    meter.items(length, 'unroll')
    return unrolled(row, fields, lists, length, areNullsTexts)
  }
