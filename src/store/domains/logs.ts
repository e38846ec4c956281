import type { RecordTableDefinition } from '../../plan/index.ts'
import { aliasesOf, loggerShapes } from '../shapes/index.ts'
import { declare } from './declare.ts'

/** Log records. */
export const logsTable: RecordTableDefinition = {
  name: 'logs',
  schema: {
    isOpen: true,
    fields: declare({
      _time: 'time',
      level: 'string',
      workload: 'string',
      namespace: 'string',
      env: 'string',
      cluster: 'string',
      pod: 'string',
      container: 'string',
      trace_id: 'string',
      span_id: 'string',
      status: 'integer',
      duration_ms: 'number',
      content: 'string',
    }),
  },
  timeField: '_time',
  textField: 'content',
  aliases: new Map([
    ...aliasesOf(loggerShapes, { time: '_time', text: 'content', level: 'level' }),
    ['pod_name', 'pod'],
    ['container_name', 'container'],
  ]),
  levelField: 'level',
  shapes: loggerShapes,
  streamFields: ['cluster', 'namespace', 'workload', 'pod'],
  domain: 'logs',
}
