import { failureOf } from '../ask/ask-error.ts'
import type { JsonObject } from './model.ts'

/** The stored version of a definition. */
export interface Stored {
  readonly value: JsonObject
  /** Its entity tag. */
  readonly tag: string
}

/** `stale`: somebody else has changed the definition since it was read; nothing was saved. */
export type SaveResult =
  | { readonly kind: 'saved'; readonly id: string }
  | { readonly kind: 'stale'; readonly theirs: Stored }

/** Saves; reads what is stored if somebody else has changed it. */
export async function savedOrStale(
  save: () => Promise<SaveResult>,
  readTheirs: () => Promise<Stored>,
): Promise<SaveResult> {
  try {
    return await save()
  } catch (error) {
    if (failureOf(error).kind !== 'stale') throw error
    return { kind: 'stale', theirs: await readTheirs() }
  }
}

/** Headers of a request that changes the version with this tag and no other. */
export function onlyVersion(tag: string | undefined): Readonly<Record<string, string>> {
  return tag === undefined || tag === '' ? {} : { 'If-Match': tag }
}
