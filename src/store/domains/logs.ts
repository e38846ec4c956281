import { field, type Field } from '../../data/index.ts'
import type { TableDefinition } from '../../plan/index.ts'

const fields: readonly Field[] = [
  field('_time', 'time', 'dynamic'),
  field('level', 'string', 'dynamic'),
  field('workload', 'string', 'dynamic'),
  field('namespace', 'string', 'dynamic'),
  field('env', 'string', 'dynamic'),
  field('cluster', 'string', 'dynamic'),
  field('pod', 'string', 'dynamic'),
  field('container', 'string', 'dynamic'),
  field('trace_id', 'string', 'dynamic'),
  field('span_id', 'string', 'dynamic'),
  field('status', 'integer', 'dynamic'),
  field('duration_ms', 'number', 'dynamic'),
  field('content', 'string', 'dynamic'),
]

/** Log records. */
export const logsTable: TableDefinition = {
  name: 'logs',
  schema: { fields, isOpen: true },
  timeField: '_time',
  textField: 'content',
  aliases: new Map([
    ['timestamp', '_time'],
    ['@timestamp', '_time'],
    ['time', '_time'],
    ['ts', '_time'],
    ['_msg', 'content'],
    ['message', 'content'],
    ['msg', 'content'],
    ['body', 'content'],
    ['severity', 'level'],
    ['pod_name', 'pod'],
    ['container_name', 'container'],
  ]),
  streamFields: ['cluster', 'namespace', 'workload', 'pod'],
  domain: 'logs',
}
