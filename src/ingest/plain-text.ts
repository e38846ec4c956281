import { Instant, leadingTime, type MutableRow, type TimeContext } from '../data/index.ts'
import type { LineFormat } from './line-format.ts'

const KLOG = /^([IWEF])(\d{2})(\d{2}) (\d{2}):(\d{2}):(\d{2})\.(\d{6})\s/
const LEVEL =
  /(?:^|[\s[(<|"=:])(TRACE|DEBUG|INFO|INFORMATION|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|CRIT|FATAL|PANIC|ALERT|EMERG)(?=$|[\s\])>|":,])/i
const LEVEL_NAMES: ReadonlyMap<string, string> = new Map([
  ['information', 'info'],
  ['warning', 'warn'],
  ['err', 'error'],
  ['crit', 'critical'],
  ['emerg', 'emergency'],
])
const KLOG_LEVELS: ReadonlyMap<string, string> = new Map([
  ['I', 'info'],
  ['W', 'warn'],
  ['E', 'error'],
  ['F', 'fatal'],
])

function leadingLevel(line: string): string | undefined {
  const klog = KLOG.exec(line)
  if (klog !== null) return KLOG_LEVELS.get(klog[1] ?? '')
  const found = LEVEL.exec(line.slice(0, 120))?.[1]?.toLowerCase()
  return found === undefined ? undefined : (LEVEL_NAMES.get(found) ?? found)
}

/**
 * Lines of text: the whole line is `content`; a time at the start (ISO, syslog, klog, unix, or an access log's
 * brackets; no zone means UTC) becomes `_time`, a level word near the start `level`.
 */
export function plainText(context: TimeContext): LineFormat {
  return {
    name: 'text',
    decode: (line) => {
      const row: MutableRow = new Map()
      const time = leadingTime(line, context)
      if (time !== undefined) row.set('_time', new Instant(time.ns))
      const level = leadingLevel(line)
      if (level !== undefined) row.set('level', level)
      row.set('content', line)
      return row
    },
    resembles: () => 0.1,
  }
}
