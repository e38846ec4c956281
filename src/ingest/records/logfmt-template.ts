import { Bytes } from '../../base/index.ts'
import type { RecordTemplate, TemplateMember } from '../../store/index.ts'
import { memberOf } from './template-parts.ts'

/** A name and a quoted string or a word, followed by a blank or the end of the line. */
const PAIR = /([^\s="'`]+)=("(?:[^"\\]|\\.)*"|(?!["'`])[^\s]*)(?= |$)/y
const ASCII = /^[\x20-\x7e]*$/
/**
 * First name of a line. If it matches and two names consist of word characters, `logfmt.resembles` treats the line as
 * logfmt.
 */
const FIRST_NAME = /^[A-Za-z_][\w.-]*$/
const PLAIN_NAME = /^[\w.-]+$/

/**
 * Returns the template of a line of `name=value` pairs without duplicate names. `isSure` says that the input is logfmt.
 * Otherwise a line that could be plain text has no template.
 */
export function logfmtTemplate(line: string, isSure: boolean): RecordTemplate | undefined {
  const members: TemplateMember[] = []
  let literalFrom = 0
  let at = /^ */.exec(line)?.[0].length ?? 0
  while (at < line.length) {
    PAIR.lastIndex = at
    const found = PAIR.exec(line)
    if (found === null) return undefined
    const [whole, name = '', value = ''] = found
    const valueAt = at + whole.length - value.length
    // Events of auditd have their time and number in this pair.
    if (name === 'msg' && value.startsWith('audit(')) return undefined
    const isKnown = members.some((member) => member.name === name)
    const literal = line.slice(literalFrom, valueAt)
    if (isKnown || !ASCII.test(literal)) return undefined
    members.push(memberOf(name, literal, { kind: 'logfmt' }))
    literalFrom = at + whole.length
    at = literalFrom
    while (line.charCodeAt(at) === 32) at++
  }
  const [first] = members
  if (first === undefined) return undefined
  const isLogfmt = FIRST_NAME.test(first.name) && members.filter(({ name }) => PLAIN_NAME.test(name)).length >= 2
  return isSure || isLogfmt ? { members, end: Bytes.from(line.slice(literalFrom)) } : undefined
}
