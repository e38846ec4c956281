import { Bytes } from '../../base/index.ts'
import { toText, type MutableRow } from '../../data/index.ts'
import { MAX_RECORD_BYTES, type RecordTemplate, type TemplateMember, type ValueSyntax } from '../../store/index.ts'
import { setPriority } from '../text/index.ts'
import { bytesOf, memberOf } from './template-parts.ts'

/** RFC 3164: priority, time without a year, host, program with an optional number, and a message. */
const LINE =
  /^<(\d{1,3})>([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d) [\w.-]{1,255} ([^\s[\]:%]{1,64})(\[\d{1,16}\])?: (?=[^ {])/

const host = bytesOf(/[\w.-]/, 255)
const program = bytesOf(/[\x21-\x24\x26-\x39\x3b-\x5a\x5c\x5e-\x7e]/, 64)
const pidDigits = bytesOf(/\d/, 16)
/** The first word of a message that is neither JSON (with or without `@cee:`) nor CEF, which contains a bar. */
const word = bytesOf(/[\x21-\x3f\x41-\x7a\x7d\x7e]/, MAX_RECORD_BYTES)

function member(name: string, literal: string, syntax: ValueSyntax): TemplateMember {
  return { ...memberOf(name, literal, syntax), isRequired: name !== '' }
}

/**
 * Returns the template of syslog messages with the priority and month of this one. `syslogForm` reads all other
 * messages.
 */
export function syslogTemplate(line: string): RecordTemplate | undefined {
  const found = LINE.exec(line)
  if (found === null) return undefined
  const [, priority = '', time = '', , pid] = found
  const constants: MutableRow = new Map()
  if (Number(priority) > 191) return undefined
  setPriority(constants, Number(priority))
  const head = `<${priority}>${time} `
  const clockAt = head.length - time.length - 1
  return {
    members: [
      {
        name: '_time',
        literal: Bytes.from(head),
        // The literal also includes the day if it has two digits.
        digits: [clockAt, head.length],
        syntax: { kind: 'fixed', before: time.length + 1, length: time.length },
      },
      member('host', '', host),
      member('app', ' ', program),
      member('workload', '', { kind: 'again' }),
      ...(pid === undefined ? [] : [member('pid', '[', pidDigits)]),
      member('', pid === undefined ? ': ' : ']: ', word),
      // HAProxy messages begin with an address and a time in brackets.
      member('content', '', { kind: 'rest', notNext: ' [' }),
    ],
    end: Bytes.alloc(0),
    constants: new Map(Array.from(constants, ([name, value]) => [name, toText(value)] as const)),
    staysOpen: true,
  }
}
