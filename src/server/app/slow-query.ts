import type { SlowQueryLog } from '../settings/environment.ts'

/** Maximum length of a query in the log, characters. */
const MAX_TEXT_CHARS = 500

/** Members of request bodies that contain the query text. */
const TEXT_MEMBERS = ['query', 'promql']

function cut(text: string): string {
  return text.length <= MAX_TEXT_CHARS ? text : `${text.slice(0, MAX_TEXT_CHARS - 1)}…`
}

/**
 * Returns the query text from the URL or body of a request, truncated. If there is no query text, returns the whole
 * body, such as a pipeline.
 */
export function queryTextOf(url: string, body: Uint8Array | undefined): string {
  const inUrl = new URL(url).searchParams.get('query')
  if (inUrl !== null || body === undefined) return cut(inUrl ?? '')
  const text = new TextDecoder().decode(body)
  try {
    const members = Object.entries(JSON.parse(text) as object)
    const [, found] = members.find(([name]) => TEXT_MEMBERS.includes(name.toLowerCase())) ?? []
    return cut(typeof found === 'string' ? found : text)
  } catch {
    return cut(new URLSearchParams(text).get('query') ?? text)
  }
}

/** Reports a query that took too long. `seconds` is the time from the request to the end of its answer. */
export function reportSlow(
  log: SlowQueryLog | undefined,
  seconds: number,
  query: () => Omit<Parameters<SlowQueryLog['report']>[0], 'seconds'>,
): void {
  if (log !== undefined && seconds * 1000 >= log.overMs) log.report({ ...query(), seconds })
}
