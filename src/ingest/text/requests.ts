import type { Value } from '../../data/index.ts'

/**
 * Returns method, path and protocol of the first line of an HTTP request. If the line does not begin with a method, all
 * of it is the path.
 */
export function requestFields(request: string | undefined): Record<string, Value | undefined> {
  if (request === undefined || request === '-' || request === '') return {}
  const first = request.indexOf(' ')
  const last = request.lastIndexOf(' ')
  const method = request.slice(0, first)
  if (first === -1 || !/^[A-Za-z][\w-]{0,31}$/.test(method)) return { path: request }
  if (last === first) return { method, path: request.slice(first + 1) }
  return { method, path: request.slice(first + 1, last), protocol: request.slice(last + 1) }
}

/**
 * Returns the address of `address:port`, without brackets around it. A text with several colons and no brackets is
 * returned unchanged.
 */
export function addressOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (text.startsWith('[')) {
    const end = text.indexOf(']')
    return end === -1 ? text : text.slice(1, end)
  }
  const colon = text.indexOf(':')
  return colon === -1 || text.includes(':', colon + 1) ? text : text.slice(0, colon)
}
