import { Instant, readTime, type MutableRow, type TimeContext, type Value } from '../../data/index.ts'
import { levelOfName } from '../../store/index.ts'
import { SERVER_HEAD_CHARS } from '../tuning.ts'

/** A format of text lines. */
export interface TextForm {
  readonly name: string
  /** The characters with which its lines begin: `0` means a digit, `a` a letter, other characters themselves. */
  readonly starts: string
  /**
   * Returns the fields of a line; `undefined` if the line does not have this form. `content` is one of them only if it
   * differs from the whole line. The time must be linear in the length of the line.
   */
  readonly read: (line: string, context: TimeContext) => MutableRow | undefined
}

export type LineFields = Readonly<Record<string, Value | undefined>>

interface FormOfPattern extends Pick<TextForm, 'name' | 'starts'> {
  /**
   * The pattern of the head of a line. Its named groups are fields: `time` is the time, `level` the level as the logger
   * names it.
   */
  readonly pattern: RegExp
  /** Returns further fields, which override groups of the same names; `undefined` rejects the line. */
  readonly more?: (
    groups: Readonly<Record<string, string | undefined>>,
    line: string,
    context: TimeContext,
  ) => LineFields | undefined
  /** The maximum length of the head in UTF-16 units. */
  readonly headChars?: number
}

/** Returns a form whose lines are recognised by a pattern. */
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

/** Returns a row of the fields that have values. */
export function rowOf(fields: LineFields): MutableRow {
  const row: MutableRow = new Map()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && value !== null && value !== '' && value !== '-') row.set(name, value)
  }
  return row
}

/** Names of members that contain the text of a record. */
const TEXT_NAMES = ['content', 'message', 'msg', '_msg', 'log', 'body']

/** Sets the line as the text of a record, unless a member contains its text. */
export function setText(row: MutableRow, line: string): void {
  if (!TEXT_NAMES.some((name) => row.has(name))) row.set('content', line)
}

/** Parses the time that a log format's pattern has matched in a line. */
export function instantOf(text: string | undefined, context: TimeContext): Instant | undefined {
  if (text === undefined) return undefined
  const ns = readTime(text, context)
  return ns === undefined ? undefined : new Instant(ns)
}
