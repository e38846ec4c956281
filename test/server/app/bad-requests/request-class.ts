import type { Operation } from './operations.ts'

/** A bad request, described by its differences from a valid request of the operation. */
export interface BadCall {
  readonly name: string
  readonly method?: string | undefined
  readonly path?: string | undefined
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined
  /** Expected statuses; by default any 4xx. */
  readonly statuses?: readonly number[] | undefined
}

/** A class of bad requests. The function returns those of the class that apply to an operation. */
export interface RequestClass {
  readonly name: string
  readonly of: (operation: Operation) => readonly BadCall[]
}
