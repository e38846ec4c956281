import type { RecordTableDefinition } from '../../plan/index.ts'
import { declare } from './declare.ts'

/** Spans of traces: one call of a server by a client. Durations are in seconds. */
export const spansTable: RecordTableDefinition = {
  name: 'spans',
  schema: {
    isOpen: true,
    fields: declare({
      _time: 'time',
      trace_id: 'string',
      span_id: 'string',
      parent_span_id: 'string',
      span_name: 'string',
      span_type: 'string',
      kind: 'string',
      protocol_type: 'string',
      status: 'string',
      status_code: 'string',
      duration_seconds: 'number',
      cluster: 'string',
      env: 'string',
      namespace: 'string',
      workload: 'string',
      container: 'string',
      source: 'string',
      client: 'string',
      client_namespace: 'string',
      server: 'string',
      server_namespace: 'string',
      'scope.name': 'string',
      'scope.version': 'string',
      resource_attributes: 'json',
      events: 'json',
      links: 'json',
      otlp: 'json',
    }),
  },
  timeField: '_time',
  textField: 'span_name',
  aliases: new Map([
    ['timestamp', '_time'],
    ['time', '_time'],
    ['_msg', 'span_name'],
    ['content', 'span_name'],
  ]),
  streamFields: ['cluster', 'namespace', 'workload'],
  domain: 'traces',
}
