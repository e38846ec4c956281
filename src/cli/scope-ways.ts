import { SluiceError } from '../base/index.ts'
import type { Engine } from '../engine/index.ts'
import type { DataScope } from '../policy/index.ts'
import type { EndpointRequest, LabelScopes, ScopeEndpoint, ScopeWays } from '../fuzz/scope/index.ts'
import {
  createClusterList,
  createEventList,
  createExplainService,
  createFieldService,
  createSearchService,
  createWorkloadList,
  labelPredicateOf,
  labelScope,
  type SearchService,
} from '../server/index.ts'
import { complete } from '../editor/index.ts'
import { serve } from './scope-served.ts'
import {
  atNow,
  checkBody,
  clusterList,
  decode,
  eventsOverTime,
  fieldFacetsBody,
  fieldNamesBody,
  fieldValuesBody,
  hitsBody,
  workloadList,
} from '../wire/index.ts'

interface EndpointCall {
  readonly search: SearchService
  readonly engine: Engine
  readonly request: EndpointRequest
  readonly caller: {
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
  answer: (call: EndpointCall) => Promise<unknown>,
): ScopeEndpoint {
  return {
    name,
    domains,
    run: (engine, request, scope) => {
      const search = createSearchService(() => engine)
      const caller = { backend: undefined, scope, signal: never, readsText: () => undefined }
      return answer({ search, engine, request, caller })
    },
  }
}

function valuesOf({ search, engine, request, caller }: EndpointCall) {
  const { start, end, domain, query, field, contains, limit } = request
  return createFieldService(search).values(
    atNow(decode(fieldValuesBody, { start, end, domain, query, field, contains, limit }), engine.clock.nowNs()),
    caller,
  )
}

/**
 * Endpoints of the read API other than queries. They are called in the same way as their routes do it, so completions
 * contain only values that the caller may see.
 */
export const scopeEndpoints: readonly ScopeEndpoint[] = [
  endpoint('field-names', rowDomains, ({ search, engine, request, caller }) => {
    const { start, end, domain, query, contains } = request
    return createFieldService(search).names(
      atNow(decode(fieldNamesBody, { start, end, domain, query, contains }), engine.clock.nowNs()),
      caller,
    )
  }),
  endpoint('field-values', rowDomains, valuesOf),
  endpoint('facets', rowDomains, ({ search, engine, request, caller }) => {
    const { start, end, domain, query, limit } = request
    return createFieldService(search).facets(
      atNow(decode(fieldFacetsBody, { start, end, domain, query, limit }), engine.clock.nowNs()),
      caller,
    )
  }),
  endpoint('hits', rowDomains, ({ search, engine, request, caller }) => {
    const { start, end, domain, query, limit, contains, field } = request
    const by = contains === undefined ? {} : { field }
    return createFieldService(search).hits(
      atNow(decode(hitsBody, { start, end, domain, query, limit, ...by }), engine.clock.nowNs()),
      caller,
    )
  }),
  endpoint('check', rowDomains, async ({ engine, request, caller }) => {
    const { domain, query } = decode(checkBody, { domain: request.domain, query: request.query })
    const found = await createExplainService(() => engine).check({ ...caller, domain, query, dialect: 'native' })
    return found.map(({ code, message, origin }) => ({ code, message, origin }))
  }),
  endpoint('suggestions', rowDomains, async (call) => {
    const { values } = await valuesOf(call)
    const texts = values.map(({ value }) => String(value))
    const { field } = call.request
    const text = `${/^\w+$/.test(field) ? field : JSON.stringify(field)}:${call.request.contains ?? ''}`
    const { catalog, functions } = call.engine
    const offered = (name: string): readonly string[] => (name === field ? texts : [])
    return complete(text, text.length, { catalog, functions, values: offered })
  }),
  endpoint('events', ['events'], ({ search, engine, request, caller }) => {
    const { start, end, query, limit } = request
    const body = { Start: start, End: end, Limit: limit, Query: query, WithRawEvents: limit === 3 }
    return createEventList(search, 1000).list(atNow(decode(eventsOverTime, body), engine.clock.nowNs()), caller)
  }),
  endpoint('clusters', ['clusters'], ({ search, caller }) =>
    createClusterList(search).list(decode(clusterList, {}), caller),
  ),
  endpoint('workloads', ['workloads'], ({ search, request, caller }) => {
    const body = { Limit: request.limit, Conditions: [], Sources: [] }
    return createWorkloadList(search).list(decode(workloadList, body), caller)
  }),
]

/** Converts a scope over rows to one over labels, as the server does. */
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

/** Ways to read data that the scope fuzzer checks besides queries. */
export const scopeWays: ScopeWays = { labelScopes, endpoints: scopeEndpoints, serve }
