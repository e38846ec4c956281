import { Instant, readTime, type MutableRow, type TimeContext, type Value } from '../../data/index.ts'
import { levelOfName } from '../../store/index.ts'
import { SERVER_HEAD_CHARS } from '../tuning.ts'

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

export type Fields = Readonly<Record<string, Value | undefined>>

interface FormOfPattern extends Pick<TextForm, 'name' | 'starts'> {
  /** Of the head of a line. Its named groups are fields: `time` the time, `level` the level by the name that a logger gives it. */
  readonly pattern: RegExp
  /** What else a line says, in place of groups of the same names; `undefined` when the line is not of this form after all. */
  readonly more?: (
    groups: Readonly<Record<string, string | undefined>>,
    line: string,
    context: TimeContext,
  ) => Fields | undefined
  /** Longest head, UTF-16 units. */
  readonly headChars?: number
}

/** A form whose lines are told by a pattern. */
export function patternForm({ name, starts, pattern, more, headChars = SERVER_HEAD_CHARS }: FormOfPattern): TextForm {
  return {
    name,
    starts,
    read: (line, context) => {
      const groups = pattern.exec(line.slice(0, headChars))?.groups
      const others = groups && (more === undefined ? {} : more(groups, line, context))
      if (others === undefined) return undefined
      const { time, level, ...fields } = groups ?? {}
      const levelName = level && (levelOfName(level) ?? level.toLowerCase())
      return rowOf({ _time: instantOf(time, context), level: levelName, ...fields, ...others })
    },
  }
}

/** A row of what is known. */
export function rowOf(fields: Fields): MutableRow {
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
