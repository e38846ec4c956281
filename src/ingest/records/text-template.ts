import { Bytes, LINE_FEED } from '../../base/index.ts'
import { levelOfName, type RecordTemplate } from '../../store/index.ts'
import { memberOf, until } from './template-parts.ts'

/**
 * A date and a time of day, with a level behind it as the next word, both in brackets or not. No form of `textForms` has such lines: a test
 * holds templates and `readForm` against each other.
 */
const HEAD =
  /^(\[?)(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9}|,\d{3})?(?:Z|[+-]\d\d:\d\d)?)\]? {1,8}(?:([A-Z]{4,8}|[a-z]{4,8}) |\[([A-Z]{4,8}|[a-z]{4,8})\])/
/** Levels that `levelIn` knows in any spelling, so that the word is the first level of its line. */
const LEVELS: ReadonlySet<string> = new Set(
  ['trace', 'debug', 'info', 'notice', 'warn', 'warning', 'error', 'critical', 'fatal'].flatMap((level) => [
    level,
    level.toUpperCase(),
  ]),
)

/**
 * The template of a line of text that begins with a time and a level: lines with the same level and a time of the same layout. The
 * line is its text.
 */
export function textTemplate(line: string): RecordTemplate | undefined {
  const found = HEAD.exec(line)
  if (found === null) return undefined
  const [head, bracket = '', time = '', plain, bracketed = ''] = found
  const level = plain ?? bracketed
  const levelName = LEVELS.has(level) ? levelOfName(level) : undefined
  if (levelName === undefined) return undefined
  const before = head.length - bracket.length
  return {
    members: [
      {
        name: '_time',
        literal: Bytes.from(head),
        digits: [bracket.length, bracket.length + time.length],
        syntax: { kind: 'fixed', before, length: time.length },
      },
      // What is left has no value of its own; it has to be free of control characters, which are colours.
      memberOf('', '', until(LINE_FEED)),
    ],
    end: Bytes.alloc(0),
    constants: new Map([['level', levelName]]),
    wholeLine: { name: 'content', from: 0 },
    staysOpen: true,
  }
}
