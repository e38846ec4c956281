import type { RecordTableDefinition } from '../../plan/index.ts'
import { declare } from './declare.ts'

/** The latest state of each workload. Rates are per second, latencies in seconds, `errorRate` is from 0 to 1. */
export const workloadsTable: RecordTableDefinition = {
  name: 'workloads',
  schema: {
    isOpen: true,
    fields: declare({
      _time: 'time',
      uid: 'string',
      workload: 'string',
      namespace: 'string',
      cluster: 'string',
      env: 'string',
      envType: 'string',
      kind: 'string',
      resourceVersion: 'string',
      ready: 'bool',
      podsCount: 'integer',
      cpuLimit: 'number',
      cpuUsage: 'number',
      memoryLimit: 'number',
      memoryUsage: 'number',
      issueCount: 'integer',
    }),
  },
  timeField: '_time',
  textField: 'workload',
  aliases: new Map([
    ['timestamp', '_time'],
    ['name', 'workload'],
  ]),
  streamFields: ['cluster', 'namespace', 'workload'],
  domain: 'workloads',
}
