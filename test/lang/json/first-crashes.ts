import type { JsonValue } from '../../../src/base/index.ts'

/**
 * Returns a pipeline with two levels of grouping: for each five minutes, the number of workloads whose first event of a
 * type lies in them.
 */
export function firstCrashes(type: string): JsonValue {
  return {
    from: {
      filters: { operator: 'and', conditions: [{ key: 'type', filters: [{ op: 'match', value: type }] }] },
      selectors: [
        { key: '_time', alias: 'first_seen', processors: [{ op: 'min' }] },
        { key: 'workload', alias: 'workload' },
      ],
      groupBy: [{ key: 'workload' }],
    },
    selectors: [
      {
        key: 'first_seen',
        alias: '_bucket_timestamp',
        processors: [{ op: 'toStartOfInterval', args: ['300 seconds'] }],
      },
      { key: 'workload', alias: 'workloads', processors: [{ op: 'countDistinct' }] },
    ],
    groupBy: [{ key: '_bucket_timestamp' }],
    orderBy: [{ direction: 'ASC', selector: { key: '_bucket_timestamp' } }],
  }
}
