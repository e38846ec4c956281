import type { Verdict } from './outcome.ts'

/** Attributes that the reference implementation stores in dedicated columns and omits from its lists. */
const STORED_APART = new Set([
  'http.method',
  'http.url',
  'http.route',
  'http.status_code',
  'http.target',
  'k8s.pod.name',
  'k8s.cluster.name',
  'k8s.namespace.name',
  'k8s.container.name',
])

/** Answer of an endpoint that lists names or values; the reference implementation and Sluice use the same form. */
interface Lists {
  readonly scopes?: readonly { readonly name: string; readonly tags: readonly string[] }[]
  readonly tagNames?: readonly string[]
  readonly tagValues?: readonly (string | { readonly type: string; readonly value?: string })[]
}

function itemsOf({ scopes = [], tagNames = [], tagValues = [] }: Lists): ReadonlySet<string> {
  const named = scopes.flatMap(({ name, tags }) =>
    tags.filter((tag) => !STORED_APART.has(tag)).map((tag) => `${name} ${tag}`),
  )
  return new Set([
    ...named,
    ...tagNames.filter((tag) => !STORED_APART.has(tag)),
    ...tagValues.map((value) => JSON.stringify(value)),
  ])
}

const FULL_RANGE = ['1772442000', '1772452800']

/**
 * Compares lists of names or values. The reference implementation reads whole blocks, so its list may have additional
 * items if the request limits the time range or has a query. With a limit, any items are accepted.
 */
export function compareLists(path: string, search: URLSearchParams, actual: unknown, expected: unknown): Verdict {
  const [ours, theirs] = [itemsOf(actual as Lists), itemsOf(expected as Lists)]
  const field = /\/tag\/(?:span\.|resource\.|\.)?(.*)\/values/.exec(path)?.[1] ?? ''
  if (STORED_APART.has(field)) return { skip: 'values of an attribute that the reference stores apart are listed' }
  if (/^(span:)?(status|kind|status\.code)$/.test(field)) return { skip: 'statuses and kinds are listed as words' }
  if (field.startsWith('link:')) return { skip: 'ids are listed in hexadecimal' }
  const isLimited = search.has('limit') && Number(search.get('limit')) < theirs.size + 1
  if (isLimited && Number(search.get('limit')) > 0)
    return ours.size === theirs.size ? undefined : { failure: `${ours.size} items, wanted ${theirs.size}` }
  const isNarrow =
    [search.get('start'), search.get('end')].join() !== FULL_RANGE.join() || (search.get('q') ?? '') !== ''
  const missing = [...theirs].filter((item) => !ours.has(item))
  const additional = [...ours].filter((item) => !theirs.has(item))
  if (missing.length === 0 && additional.length === 0) return undefined
  if (isNarrow && additional.length === 0)
    return { skip: 'names and values are those of the range and the query alone' }
  if (missing.length === 0 && (search.get('q') ?? '') !== '')
    return { skip: 'names are all of the spans that the query finds' }
  return { failure: `misses ${missing.join(', ').slice(0, 300)}; has ${additional.join(', ').slice(0, 300)}` }
}
