import { SluiceError, atPath, formatDurationNs, formatRfc3339, type Interval } from '../../../base/index.ts'
import { Instant, groupKeyText, toText, type Value } from '../../../data/index.ts'
import { jsonDiagnostic, parseInterval } from '../../../lang/json/index.ts'
import type { Dialect, LogicalPlan } from '../../../plan/index.ts'
import type {
  AtNow,
  FieldFacets,
  FieldFacetsAnswer,
  FieldNames,
  FieldNamesAnswer,
  FieldValues,
  FieldValuesAnswer,
  Hits,
  HitsAnswer,
} from '../../../wire/index.ts'
import { fault } from '../../errors/http-fault.ts'
import { readRows } from '../lists/read-rows.ts'
import { recordOf, textOf } from '../lists/record.ts'
import type { SearchService } from '../service-interfaces.ts'
import type { Caller } from '../../auth/caller.ts'
import { foundRows } from './found-rows.ts'
import { facetsOf, hitsOf, namesOf, valuesOf } from './questions.ts'
import { MAX_STEPS, floorStep, roundStep, stepCount } from './steps.ts'

interface Read {
  /** Dialect of the query. Default: `native`. */
  readonly dialect?: Dialect
}

/** Lists fields, values and counts of the rows that a query finds, restricted to those that the caller may see. */
export interface FieldService {
  names(request: AtNow<FieldNames> & Read, caller: Caller): Promise<FieldNamesAnswer>
  values(request: AtNow<FieldValues> & Read, caller: Caller): Promise<FieldValuesAnswer>
  facets(request: AtNow<FieldFacets> & Read, caller: Caller): Promise<FieldFacetsAnswer>
  hits(request: AtNow<Hits> & Read, caller: Caller): Promise<HitsAnswer>
}

type Found = Pick<AtNow<FieldNames>, 'start' | 'end' | 'domain' | 'query' | 'filters' | 'sources'> & Read

const TIME_FIELD = '_time'

function stepOf(text: string | undefined, range: Interval): bigint {
  if (text === undefined || text === '') return roundStep(range)
  const stepNs = parseInterval(text)
  if (stepNs === undefined) throw new SluiceError([jsonDiagnostic('bad-interval', { text }, atPath(['step']))])
  return stepNs
}

interface Group {
  readonly value: Value
  total: number
  readonly hits: number[]
}

export function createFieldService(search: SearchService): FieldService {
  const answer = async (request: Found, caller: Caller, question: (rows: LogicalPlan) => LogicalPlan) =>
    readRows(
      await search.search({
        ...caller,
        domain: request.domain,
        range: { startNs: request.start, endNs: request.end },
        query: request.query === '' ? undefined : request.query,
        filters: request.filters,
        sources: request.sources,
        pipeline: undefined,
        dialect: request.dialect ?? 'native',
        over: (plan) => question(foundRows(plan)),
      }),
    )
  return {
    names: async (request, caller) => {
      const rows = await answer(request, caller, (found) => namesOf(found, request.contains))
      return { names: rows.map((row) => ({ name: toText(row.get('name') ?? null), hits: Number(row.get('hits')) })) }
    },
    values: async (request, caller) => {
      const { field, contains, limit } = request
      const rows = await answer(request, caller, (found) => valuesOf(found, field, contains, limit + 1))
      const values = rows.slice(0, limit).map((row) => {
        const record = recordOf(row)
        return { value: record.get('value') ?? null, hits: Number(record.get('hits')) }
      })
      return { values, isLimitReached: rows.length > limit }
    },
    facets: async (request, caller) => {
      const rows = await answer(request, caller, (found) => facetsOf(found, request.limit))
      const facets = new Map<string, { value: unknown; hits: number }[]>()
      for (const record of rows.map(recordOf)) {
        const name = textOf(record.get('field_name'))
        const values = facets.get(name) ?? []
        values.push({ value: record.get('field_value') ?? null, hits: Number(record.get('hits')) })
        facets.set(name, values)
      }
      return { facets: [...facets].map(([name, values]) => ({ name, values })) }
    },
    hits: async (request, caller) => {
      const range = { startNs: request.start, endNs: request.end }
      const stepNs = stepOf(request.step, range)
      const steps = stepCount(range, stepNs)
      if (steps > BigInt(MAX_STEPS)) throw fault('too-many-steps', { limit: MAX_STEPS })
      const firstNs = floorStep(range.startNs, stepNs)
      const count = Number(steps)
      const groups = new Map<string, Group>()
      const groupOf = (value: Value): Group => {
        const key = groupKeyText(value)
        const known = groups.get(key)
        if (known !== undefined) return known
        const made = { value, total: 0, hits: Array.from({ length: count }, () => 0) }
        groups.set(key, made)
        return made
      }
      if (request.field === undefined) groupOf(null)
      let total = 0
      for (const row of await answer(request, caller, (found) => hitsOf(found, TIME_FIELD, stepNs, request.field))) {
        const at = row.get('at')
        if (!(at instanceof Instant)) continue
        const group = groupOf(row.get('value') ?? null)
        const hits = Number(row.get('hits'))
        const step = Number((at.ns - firstNs) / stepNs)
        group.hits[step] = (group.hits[step] ?? 0) + hits
        group.total += hits
        total += hits
      }
      return {
        step: formatDurationNs(stepNs),
        total,
        timestamps: Array.from({ length: count }, (_, i) => formatRfc3339(firstNs + BigInt(i) * stepNs, true)),
        groups: shown([...groups.values()], request.limit, request.field !== undefined),
      }
    },
  }
}

/** Returns the largest groups. All other groups are merged into one. */
function shown(groups: readonly Group[], limit: number, hasField: boolean): HitsAnswer['groups'] {
  if (!hasField) return groups.map(({ total, hits }) => ({ total, hits }))
  const sorted = groups.toSorted((a, b) => b.total - a.total)
  const largest = sorted.slice(0, limit).map(({ value, total, hits }) => ({
    value: recordOf(new Map([['value', value]])).get('value') ?? null,
    total,
    hits,
  }))
  const rest = sorted.slice(limit)
  const [first] = rest
  if (first === undefined) return largest
  const hits = first.hits.map((_, i) => rest.reduce((sum, group) => sum + (group.hits[i] ?? 0), 0))
  return [...largest, { isRest: true, total: rest.reduce((sum, group) => sum + group.total, 0), hits }]
}
