import type { PolicyJson } from './policies.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  /** The path with its query string. */
  readonly path: string
  readonly body?: PolicyJson
  readonly accept?: string
}
