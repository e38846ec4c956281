import type { MutableRow, TimeContext } from '../../data/index.ts'
import { accessForm, envoyForm, flowForm, loadBalancerForm, s3Form, squidForm } from './access.ts'
import { ciscoForm, pairsForm } from './devices.ts'
import type { TextForm } from './form.ts'
import { log4jXmlForm, weblogicForm } from './java.ts'
import {
  apacheErrorForm,
  aptForm,
  bashForm,
  klogForm,
  logcatForm,
  monologForm,
  mysqlErrorForm,
  nginxErrorForm,
  phpErrorForm,
  postgresCsvForm,
  postgresForm,
  railsForm,
  redisForm,
  rubyForm,
  slowQueryForm,
  zshForm,
} from './servers.ts'
import { syslogForm } from './syslog.ts'

/** All forms of text lines, in the order in which they are tried. */
export const textForms: readonly TextForm[] = [
  klogForm,
  nginxErrorForm,
  apacheErrorForm,
  phpErrorForm,
  redisForm,
  logcatForm,
  rubyForm,
  railsForm,
  monologForm,
  mysqlErrorForm,
  slowQueryForm,
  aptForm,
  bashForm,
  zshForm,
  weblogicForm,
  log4jXmlForm,
  ciscoForm,
  pairsForm,
  postgresCsvForm,
  postgresForm,
  flowForm,
  s3Form,
  squidForm,
  loadBalancerForm,
  envoyForm,
  accessForm,
  syslogForm,
]

function kindOf(code: number): string {
  if (code >= 48 && code <= 57) return '0'
  const lower = code | 32
  return lower >= 97 && lower <= 122 ? 'a' : String.fromCharCode(code)
}

const byStart = new Map<string, readonly TextForm[]>()
for (const start of new Set(textForms.flatMap(({ starts }) => Array.from(starts))))
  byStart.set(
    start,
    textForms.filter(({ starts }) => starts.includes(start)),
  )

/** Returns the fields of a line in the first form that fits; `undefined` when none does. */
export function readForm(line: string, context: TimeContext): MutableRow | undefined {
  for (const form of byStart.get(kindOf(line.charCodeAt(0))) ?? []) {
    const row = form.read(line, context)
    if (row !== undefined) return row
  }
  return undefined
}
