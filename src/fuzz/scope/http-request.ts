import type { Json } from './policies.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  /** The path with its query string. */
  readonly path: string
  readonly body?: Json
  readonly accept?: string
}
