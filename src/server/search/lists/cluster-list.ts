import type { ClusterListAnswer } from '../../../wire/index.ts'
import type { ClusterService, SearchService } from '../service-interfaces.ts'
import { latestRecords } from './latest.ts'
import { objectOf, pick, textOf, under, type JsonRecord } from './record.ts'

const MEMBERS = ['name', 'env', 'cloudProvider', 'kubernetesVersion', 'nodesCount', 'issueCount'] as const

/** Prefixes of flat columns that clients receive as nested objects. */
const GROUPS = ['pods', 'cpu', 'memory'] as const

function clusterOf(record: JsonRecord): JsonRecord {
  const cluster = pick(record, MEMBERS)
  for (const group of GROUPS) {
    const members = under(record, `${group}.`)
    if (members !== undefined) cluster.set(group, members)
  }
  return cluster
}

function byName(a: JsonRecord, b: JsonRecord): number {
  const [x, y] = [textOf(a.get('name')), textOf(b.get('name'))]
  return x < y ? -1 : x > y ? 1 : 0
}

/** Lists clusters by name, with the latest state of each. */
export function createClusterList(search: SearchService): ClusterService {
  return {
    list: async (request, caller) => {
      const conditions = request.Sources ?? []
      const records = await latestRecords(
        search,
        { domain: 'clusters', identity: ['name'], conditions, filter: undefined, filterMember: '' },
        caller,
      )
      const clusters = records.map(clusterOf).toSorted(byName)
      return { clusters: clusters.map(objectOf) as ClusterListAnswer['clusters'], totalCount: clusters.length }
    },
  }
}
