import { Instant, readTime, type MutableRow, type TimeContext, type Value } from '../../data/index.ts'

/** One way of writing a line of text. */
export interface TextForm {
  readonly name: string
  /** Characters that its lines begin with: `0` a digit, `a` a letter, others themselves. */
  readonly starts: string
  /**
   * The fields of a line, `content` among them only where it is less than the whole line; `undefined` when the line is
   * not of this form. Looks at each character a fixed number of times at most.
   */
  readonly read: (line: string, context: TimeContext) => MutableRow | undefined
}

/** A row of what is known. */
export function rowOf(fields: Readonly<Record<string, Value | undefined>>): MutableRow {
  const row: MutableRow = new Map()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null && value !== '' && value !== '-') row.set(name, value)
  }
  return row
}

/** Members that are the text of a record. */
const TEXT_NAMES = ['content', 'message', 'msg', '_msg', 'log', 'body']

/** Makes the line the text of a record whose members have none. */
export function setText(row: MutableRow, line: string): void {
  if (!TEXT_NAMES.some((name) => row.has(name))) row.set('content', line)
}

/** A time that a form has cut out of its line. */
export function instantOf(text: string | undefined, context: TimeContext): Instant | undefined {
  if (text === undefined) return undefined
  const ns = readTime(text, context)
  return ns === undefined ? undefined : new Instant(ns)
}
