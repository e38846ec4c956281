import type { MutableRow } from '../../../src/data/index.ts'
import { NO_FORM, sentWords, type SentRows } from '../../../src/store/index.ts'

interface SentPlace {
  readonly form: number
  readonly group: number
  readonly start: number
  readonly end: number
}

/** Yields the position of each row of an export. */
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

/** Converts the rows of an export to objects. */
export function objectsOf(rows: SentRows): MutableRow[] {
  return Array.from(placesOf(rows), ({ group, start, end }) => rows.record(group, start, end))
}

/** Returns the number of rows that can only be read as objects. */
export function countObjects(rows: SentRows): number {
  return [...placesOf(rows)].filter(({ form }) => form === NO_FORM).length
}
