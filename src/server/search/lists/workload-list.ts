import { JsonText, type ExactJson } from '../../../data/index.ts'
import { workloadRecord, type WorkloadListAnswer } from '../../../wire/index.ts'
import type { SearchService, WorkloadService } from '../service-interfaces.ts'
import { latestRecords } from './latest.ts'
import { objectOf, pick, textOf, under, type JsonRecord } from './record.ts'
import { addRates, type RateOptions } from './workload-rates.ts'

/** Members of a workload's record. `identifiers` is excluded, because it is built from several columns. */
const MEMBERS = Object.keys(workloadRecord.shape).filter((name) => name !== 'identifiers')

const IDENTITY = ['cluster', 'namespace', 'workload', 'kind'] as const

function workloadOf(record: JsonRecord): JsonRecord {
  const workload = pick(record, MEMBERS)
  const identifiers = under(record, 'identifiers.')
  if (identifiers !== undefined) workload.set('identifiers', identifiers)
  // A workload without an id gets one from its identifying columns.
  if (!workload.has('uid')) workload.set('uid', IDENTITY.map((name) => textOf(workload.get(name))).join('/'))
  return workload
}

function numberOf(value: ExactJson): number {
  return Number(value instanceof JsonText ? value.json : value)
}

function compare(a: ExactJson, b: ExactJson): number {
  if (typeof a === 'string' || typeof b === 'string') {
    const [x, y] = [textOf(a), textOf(b)]
    return x < y ? -1 : x > y ? 1 : 0
  }
  return numberOf(a) - numberOf(b)
}

/** Sorts missing values last in both directions; ties by the identifying columns. */
function order(key: string, isDescending: boolean): (a: JsonRecord, b: JsonRecord) => number {
  return (a, b) => {
    const [x, y] = [a.get(key), b.get(key)]
    if (x !== undefined && y !== undefined) {
      const difference = compare(x, y)
      if (difference !== 0) return isDescending ? -difference : difference
    } else if (x !== y) {
      return x === undefined ? 1 : -1
    }
    for (const name of IDENTITY) {
      const difference = compare(textOf(a.get(name)), textOf(b.get(name)))
      if (difference !== 0) return difference
    }
    return 0
  }
}

/**
 * Lists workloads with the latest state of each, sorted and paged. A text filter replaces the conditions. With `rates`,
 * request rate, error rate and latencies are computed from spans if records lack them.
 */
export function createWorkloadList(search: SearchService, rates?: RateOptions): WorkloadService {
  return {
    list: async (request, caller) => {
      const filter = request.gcqlFilter
      const conditions = [...(filter === undefined ? (request.Conditions ?? []) : []), ...(request.Sources ?? [])]
      const records = await latestRecords(
        search,
        { domain: 'workloads', identity: IDENTITY, conditions, filter, filterMember: 'gcqlFilter' },
        caller,
      )
      const workloads = records.map(workloadOf)
      if (rates !== undefined) await addRates(workloads, search, rates, caller)
      const all = workloads.toSorted(order(request.SortBy, request.Order === 'desc'))
      const page = all.slice(request.Skip, request.Skip + request.Limit)
      return { total: all.length, workloads: page.map(objectOf) as WorkloadListAnswer['workloads'] }
    },
  }
}
