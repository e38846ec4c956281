import { SluiceError } from '../base/index.ts'
import type { Engine } from '../engine/index.ts'
import type { DataScope } from '../policy/index.ts'
import type { EndpointRequest, LabelScopes, ScopeEndpoint, ScopeWays } from '../fuzz/scope/index.ts'
import {
  createClusterList,
  createEventList,
  createFieldService,
  createSearchService,
  createWorkloadList,
  labelPredicateOf,
  labelScope,
  type SearchService,
} from '../server/index.ts'
import { complete } from '../editor/index.ts'
import {
  clusterList,
  decode,
  eventsOverTime,
  fieldFacetsBody,
  fieldNamesBody,
  fieldValuesBody,
  hitsBody,
  workloadList,
} from '../wire/index.ts'

interface Asking {
  readonly search: SearchService
  readonly engine: Engine
  readonly request: EndpointRequest
  readonly asker: {
    readonly backend: undefined
    readonly scope: DataScope | undefined
    readonly signal: AbortSignal
    readonly readsText: () => void
  }
}

const rowDomains = ['logs', 'events', 'traces', 'clusters', 'workloads'] as const
const never = new AbortController().signal

function endpoint(
  name: string,
  domains: readonly string[],
  answer: (asking: Asking) => Promise<unknown>,
): ScopeEndpoint {
  return {
    name,
    domains,
    ask: (engine, request, scope) => {
      const search = createSearchService(() => engine)
      const asker = { backend: undefined, scope, signal: never, readsText: () => undefined }
      return answer({ search, engine, request, asker })
    },
  }
}

function valuesOf({ search, request, asker }: Asking) {
  const { start, end, domain, query, field, contains, limit } = request
  return createFieldService(search).values(
    decode(fieldValuesBody, { start, end, domain, query, field, contains, limit }),
    asker,
  )
}

/** The read side of the API besides queries, as its routes call it; suggestions get the values that the caller may see. */
export const scopeEndpoints: readonly ScopeEndpoint[] = [
  endpoint('field-names', rowDomains, ({ search, request, asker }) => {
    const { start, end, domain, query, contains } = request
    return createFieldService(search).names(decode(fieldNamesBody, { start, end, domain, query, contains }), asker)
  }),
  endpoint('field-values', rowDomains, valuesOf),
  endpoint('facets', rowDomains, ({ search, request, asker }) => {
    const { start, end, domain, query, limit } = request
    return createFieldService(search).facets(decode(fieldFacetsBody, { start, end, domain, query, limit }), asker)
  }),
  endpoint('hits', rowDomains, ({ search, request, asker }) => {
    const { start, end, domain, query, limit, contains, field } = request
    const by = contains === undefined ? {} : { field }
    return createFieldService(search).hits(decode(hitsBody, { start, end, domain, query, limit, ...by }), asker)
  }),
  endpoint('suggestions', rowDomains, async (asking) => {
    const { values } = await valuesOf(asking)
    const texts = values.map(({ value }) => String(value))
    const { field } = asking.request
    const text = `${/^\w+$/.test(field) ? field : JSON.stringify(field)}:${asking.request.contains ?? ''}`
    const { catalog, functions } = asking.engine
    const offered = (name: string): readonly string[] => (name === field ? texts : [])
    return complete(text, text.length, { catalog, functions, values: offered })
  }),
  endpoint('events', ['events'], ({ search, request, asker }) => {
    const { start, end, query, limit } = request
    const body = { Start: start, End: end, Limit: limit, Query: query, WithRawEvents: limit === 3 }
    return createEventList(search, 1000).list(decode(eventsOverTime, body), asker)
  }),
  endpoint('clusters', ['clusters'], ({ search, asker }) =>
    createClusterList(search).list(decode(clusterList, {}), asker),
  ),
  endpoint('workloads', ['workloads'], ({ search, request, asker }) => {
    const body = { Limit: request.limit, Conditions: [], Sources: [] }
    return createWorkloadList(search).list(decode(workloadList, body), asker)
  }),
]

/** The server's way from a scope over rows to one over labels. */
export const labelScopes: LabelScopes = {
  guardOf: (scope) => labelScope({ scope }),
  canSay: (guard) => {
    try {
      labelPredicateOf(guard)
      return true
    } catch (error) {
      if (error instanceof SluiceError) return false
      throw error
    }
  },
}

/** Everything above the scope fuzzer by which a caller gets at data. */
export const scopeWays: ScopeWays = { labelScopes, endpoints: scopeEndpoints }
