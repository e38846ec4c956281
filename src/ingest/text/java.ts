import { levelOfName } from '../../store/index.ts'
import { instantOf, rowOf, type TextForm } from './form.ts'
import { SERVER_HEAD_CHARS } from '../tuning.ts'

/**
 * The maximum length in UTF-16 units of the head of a WebLogic line that is split into fields. The message follows the
 * head.
 */
const WEBLOGIC_HEAD_CHARS = 2048

/** WebLogic: fields in angle brackets; in files `####` precedes them. */
export const weblogicForm: TextForm = {
  name: 'WebLogic',
  starts: '#<',
  read: (line, context) => {
    const found = /^(####)?<([A-Z][^<>]{18,40})> <(\w{2,16})> /.exec(line.slice(0, SERVER_HEAD_CHARS))
    if (found === null) return undefined
    const [whole, marks, time, level = ''] = found
    const fields = line.slice(whole.length, WEBLOGIC_HEAD_CHARS).split('> <')
    const [subsystem = '', host, server, thread, user] = marks === undefined ? [fields[0]] : fields
    // The line also has the time in milliseconds since 1970, which is independent of the zone's name.
    const milliseconds = fields.slice(0, 9).find((field) => /^\d{13}$/.test(field))
    return rowOf({
      _time: instantOf(milliseconds, context) ?? instantOf(time, context),
      level: levelOfName(level) ?? level.toLowerCase(),
      subsystem: subsystem.replace(/^</, ''),
      host,
      server,
      thread,
      user: user?.replaceAll(/[<>]/g, ''),
      message_id: fields.find((field) => /^BEA-\d{1,8}$/.test(field)),
    })
  },
}

function attribute(line: string, name: string): string | undefined {
  return new RegExp(` ${name}="([^"]{0,256})"`).exec(line.slice(0, SERVER_HEAD_CHARS * 4))?.[1]
}

/** The first line of a log4j 1 or 2 event as XML; `xmlText` finds the message in all of its lines. */
export const log4jXmlForm: TextForm = {
  name: 'log4j XML',
  starts: '<',
  read: (line, context) => {
    if (!/^<(?:log4j:event|(?:log4j:)?Event) /.test(line)) return undefined
    const level = attribute(line, 'level') ?? ''
    return rowOf({
      _time: instantOf(attribute(line, 'timestamp') ?? attribute(line, 'timeMillis'), context),
      level: levelOfName(level) ?? level.toLowerCase(),
      logger: attribute(line, 'logger') ?? attribute(line, 'loggerName'),
      thread: attribute(line, 'thread'),
    })
  },
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Returns the text of the first element with one of these names. */
function element(text: string, names: string): string | undefined {
  const start = new RegExp(`<(?:log4j:)?(?:${names})(?: [^<>]{0,256})?>`).exec(text)
  if (start === null) return undefined
  const from = start.index + start[0].length
  const end = text.indexOf('</', from)
  const given = text.slice(from, end === -1 ? undefined : end).trim()
  if (given.startsWith('<![CDATA[')) {
    const close = text.indexOf(']]>', from)
    return text.slice(text.indexOf('<![CDATA[', from) + 9, close === -1 ? undefined : close)
  }
  return given.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '')
}

/** Returns the message and stack trace of a log4j event as XML; `undefined` for other texts. */
export function xmlText(text: string): string | undefined {
  if (!/^<(?:log4j:event|(?:log4j:)?Event) /.test(text)) return undefined
  const message = element(text, 'message|Message')
  const thrown = element(text, 'throwable|Throwable|Thrown')
  return message === undefined || thrown === undefined ? message : `${message}\n${thrown}`
}
