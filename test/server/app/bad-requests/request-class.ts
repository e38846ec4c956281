import type { Operation } from './operations.ts'

/** One bad request: its differences from a good request of the operation. */
export interface BadCall {
  readonly name: string
  readonly method?: string | undefined
  readonly path?: string | undefined
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined
  /** Expected statuses; by default any 4xx. */
  readonly statuses?: readonly number[] | undefined
}

/** A class of bad requests: given an operation, every request of the class that makes sense for it. */
export interface RequestClass {
  readonly name: string
  readonly of: (operation: Operation) => readonly BadCall[]
}
