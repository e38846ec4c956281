/** Headers by case-insensitive name, such as those of a `Request`. */
export type RequestHeaders = Pick<Headers, 'get'>

/** Request header with which Loki clients choose a form of the answer. */
export const ENCODING_FLAGS = 'x-loki-response-encoding-flags'

/**
 * Returns the headers of a request that another thread has received. The platform's `Headers` is not used, because it
 * would load all of `fetch` in each thread.
 */
export function headersOf(given: Readonly<Record<string, string | null>>): RequestHeaders {
  return { get: (name) => given[name.toLowerCase()] ?? null }
}
