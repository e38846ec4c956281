import { Bytes, QUOTE, SPACE } from '../../base/index.ts'
import { MAX_RECORD_BYTES, type RecordTemplate, type TemplateMember } from '../../store/index.ts'
import { ACCESS_HEAD_CHARS } from '../tuning.ts'
import { bytesOf, memberOf, until } from './template-parts.ts'

/** The IPv4 address at the beginning of the line; lines of no other text form begin with one. */
const address = bytesOf(/[\d.]/, ACCESS_HEAD_CHARS)
const method = bytesOf(/[A-Za-z]/, 32)
const word = bytesOf(/[\x21\x23-\x5b\x5d-\x7e]/, MAX_RECORD_BYTES)

const common: readonly TemplateMember[] = [
  memberOf('client', '', address),
  memberOf('', ' ', until(SPACE)),
  memberOf('user', ' ', until(SPACE)),
  memberOf('_time', ' [', until(0x5d)),
  memberOf('method', '] "', method),
  memberOf('path', ' ', word),
  memberOf('protocol', ' ', word),
  memberOf('status', '" ', { kind: 'digits', most: 3 }),
  memberOf('bytes', ' ', { kind: 'digits', most: 15 }),
]
const templates: readonly RecordTemplate[] = [
  { members: common, end: Bytes.alloc(0), wholeLine: { name: 'content', from: 0 }, staysOpen: true },
  {
    members: [...common, memberOf('referrer', ' "', until(QUOTE)), memberOf('user_agent', '" "', until(QUOTE))],
    end: Bytes.from('"'),
    wholeLine: { name: 'content', from: 0 },
    staysOpen: true,
  },
]

const COMMON = /^[\d.]+ \S+ \S+ \[[^\]]+\] "[A-Za-z]{1,32} \S+ [^\s"]+" \d{1,3} (?:\d{1,15}|-)/
const COMBINED_END = /^ "[^"\\]*" "[^"\\]*"$/

/**
 * Returns the template of a line of a common or combined access log whose client is an IPv4 address and whose request
 * has three words. `accessForm` reads all other lines.
 */
export function accessTemplate(line: string): RecordTemplate | undefined {
  const head = COMMON.exec(line)?.[0]
  if (head === undefined) return undefined
  const rest = line.slice(head.length)
  if (rest === '') return templates[0]
  return COMBINED_END.test(rest) ? templates[1] : undefined
}
