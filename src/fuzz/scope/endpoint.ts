import { DAY_NS, formatRfc3339, type Random } from '../../base/index.ts'
import type { PlanEngine } from '../../engine/index.ts'
import type { DataScope } from '../../policy/index.ts'
import { storedFields } from '../writer.ts'
import type { QuestionContext } from './questions.ts'

/** An endpoint of the read API other than queries: lists, fields and values, counts over time, completions. */
export interface ScopeEndpoint {
  readonly name: string
  /** The kinds of rows that the endpoint reads. */
  readonly domains: readonly string[]
  /** Calls the endpoint and returns everything that the caller receives. Throws a SluiceError. */
  readonly run: (engine: PlanEngine, request: EndpointRequest, scope: DataScope | undefined) => Promise<unknown>
}

export interface EndpointRequest {
  readonly domain: string
  /** The start of the range in RFC 3339. */
  readonly start: string
  readonly end: string
  readonly query: string
  readonly field: string
  readonly contains: string | undefined
  readonly limit: number
}

/** Draws a request about the rows that match the filter of a question. */
export function drawRequest(random: Random, { kind, baseNs }: QuestionContext, filter: string): EndpointRequest {
  const name = random.pick(storedFields)
  return {
    domain: kind.domain,
    start: formatRfc3339(baseNs - DAY_NS * 2n),
    end: formatRfc3339(baseNs + DAY_NS * BigInt(1 + random.below(20))),
    query: random.next() < 0.5 ? '*' : filter,
    field: kind.names.get(name) ?? name,
    contains: random.next() < 0.6 ? undefined : random.pick(['e', 'a', '0', 'api']),
    limit: random.pick([1, 3, 100]),
  }
}
