import type { RecordTableDefinition } from '../../plan/index.ts'
import { declare } from './declare.ts'

/**
 * The latest state of each cluster. Fields of resources begin with `cpu.` and `memory.`, fields of pod states with
 * `pods.`.
 */
export const clustersTable: RecordTableDefinition = {
  name: 'clusters',
  schema: {
    isOpen: true,
    fields: declare({
      _time: 'time',
      name: 'string',
      env: 'string',
      cloudProvider: 'string',
      kubernetesVersion: 'string',
      nodesCount: 'integer',
      issueCount: 'integer',
    }),
  },
  timeField: '_time',
  textField: 'name',
  aliases: new Map([
    ['timestamp', '_time'],
    ['cluster', 'name'],
  ]),
  streamFields: ['name'],
  domain: 'clusters',
}
