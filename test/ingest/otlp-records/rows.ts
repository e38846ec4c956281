import type { MutableRow } from '../../../src/data/index.ts'
import { NO_FORM, sentWords, type SentRows } from '../../../src/store/index.ts'

interface SentPlace {
  readonly form: number
  readonly group: number
  readonly start: number
  readonly end: number
}

/** Where the rows of an export begin. */
function* placesOf({ words, forms, groups }: SentRows): Generator<SentPlace> {
  for (let at = 0; at < words.length;) {
    const word = (name: keyof typeof sentWords): number => words[at + sentWords[name]] ?? 0
    const [form, group] = [word('form'), word('group')]
    yield { form, group, start: word('start'), end: word('end') }
    at += sentWords.count
    const known = forms[form]
    if (known === undefined) continue
    const own = known.names.length - (groups[group]?.values.length ?? 0)
    at += 2 * (known.timeAt === -1 ? own : own - 1)
  }
}

/** Rows of an export as objects. */
export function objectsOf(rows: SentRows): MutableRow[] {
  return Array.from(placesOf(rows), ({ group, start, end }) => rows.record(group, start, end))
}

/** How many of its rows are read as objects in any case. */
export function countObjects(rows: SentRows): number {
  return [...placesOf(rows)].filter(({ form }) => form === NO_FORM).length
}
