import type { RecordTableDefinition } from '../../plan/index.ts'
import { declare } from './declare.ts'

/** Metric samples, one row for each. Each label is a field of the same name. PromQL reads the same data as series. */
export const samplesTable: RecordTableDefinition = {
  name: 'samples',
  schema: {
    isOpen: true,
    fields: declare({
      _time: 'time',
      __name__: 'string',
      value: 'number',
      cluster: 'string',
      namespace: 'string',
      workload: 'string',
    }),
  },
  timeField: '_time',
  textField: '__name__',
  aliases: new Map([
    ['timestamp', '_time'],
    ['metric', '__name__'],
  ]),
  streamFields: ['__name__', 'cluster', 'namespace', 'workload'],
  domain: 'metrics',
}
