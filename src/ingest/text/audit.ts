import { readLogfmt, type MutableRow, type TimeContext } from '../../data/index.ts'
import { instantOf, rowOf } from './form.ts'

const HEAD = /^(?:node=(\S{1,255}) )?type=([A-Z0-9_[\]]{1,64}) msg=audit\((\d{1,12}(?:\.\d{1,9})?):(\d{1,20})\): ?/

/**
 * Reads a line of auditd: the time and number of its event, and pairs. Pairs that a program wrote are in quotes after
 * `msg=`. Pairs that the daemon adds in readable form follow a group separator.
 */
export function readAudit(line: string, context: TimeContext): MutableRow | undefined {
  const found = HEAD.exec(line.slice(0, 512))
  if (found === null) return undefined
  const [head, host, type, time, event] = found
  const row = rowOf({ _time: instantOf(time, context), type, audit_id: event, host, content: line })
  const pairs = line.slice(head.length).replaceAll('\u001d', ' ')
  const inner = / ?msg='([^']*)'/.exec(pairs)
  for (const text of [inner === null ? pairs : pairs.replace(inner[0], ''), inner?.[1] ?? ''])
    for (const { name, value = '' } of readLogfmt(text, true)) if (value !== '' && !row.has(name)) row.set(name, value)
  return row
}
