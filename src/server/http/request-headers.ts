/** The headers of a request, by their names in any case; those of the platform's `Request` are such. */
export type RequestHeaders = Pick<Headers, 'get'>

/** Of a request that another thread received. The platform's `Headers` come with all of `fetch`, which takes a thread 40 ms to load. */
export function headersOf(given: Readonly<Record<string, string | null>>): RequestHeaders {
  return { get: (name) => given[name.toLowerCase()] ?? null }
}
