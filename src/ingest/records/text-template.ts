import { Bytes, LINE_FEED } from '../../base/index.ts'
import { levelOfName, type RecordTemplate } from '../../store/index.ts'
import { memberOf, until } from './template-parts.ts'

/**
 * A date and a time of day, followed by a level as the next word; each may be in brackets. No form in `textForms` has
 * such lines. A test compares the templates with `readForm`.
 */
const HEAD =
  /^(\[?)(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9}|,\d{3})?(?:Z|[+-]\d\d:\d\d)?)\]? {1,8}(?:([A-Z]{4,8}|[a-z]{4,8}) |\[([A-Z]{4,8}|[a-z]{4,8})\])/
/** Levels that `levelIn` recognises in any spelling, so that the word is the first level of its line. */
const LEVELS: ReadonlySet<string> = new Set(
  ['trace', 'debug', 'info', 'notice', 'warn', 'warning', 'error', 'critical', 'fatal'].flatMap((level) => [
    level,
    level.toUpperCase(),
  ]),
)

/**
 * Returns the template of a text line that begins with a time and a level. It fits lines with the same level and the
 * same time layout. The whole line is the text of the record.
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
      // The remainder of the line is not a separate value. It must not contain control characters, which may be
      // terminal colours.
      memberOf('', '', until(LINE_FEED)),
    ],
    end: Bytes.alloc(0),
    constants: new Map([['level', levelName]]),
    wholeLine: { name: 'content', from: 0 },
    staysOpen: true,
  }
}
