import type { RecordTableDefinition } from '../../plan/index.ts'
import { declare } from './declare.ts'

/** Kubernetes events of objects in a cluster. Attributes are fields under their own names. */
export const eventsTable: RecordTableDefinition = {
  name: 'events',
  schema: {
    isOpen: true,
    fields: declare({
      _time: 'time',
      type: 'string',
      reason: 'string',
      message: 'string',
      cluster: 'string',
      env: 'string',
      namespace: 'string',
      workload: 'string',
      instance: 'string',
      object_kind: 'string',
      object_uid: 'string',
      uid: 'string',
      count: 'integer',
      firstSeen: 'time',
      lastSeen: 'time',
    }),
  },
  timeField: '_time',
  textField: 'message',
  aliases: new Map([
    ['timestamp', '_time'],
    ['time', '_time'],
    ['_msg', 'message'],
    ['content', 'message'],
    ['entity_name', 'instance'],
    ['entity_namespace', 'namespace'],
    ['entity_workload', 'workload'],
  ]),
  streamFields: ['cluster', 'namespace', 'workload'],
  domain: 'events',
}
