import { failureOf } from '../ask/ask-error.ts'
import type { Ask } from '../ask/client.ts'
import type { JsonObject } from './model.ts'

/** The stored version of a definition. */
export interface Stored {
  readonly value: JsonObject
  /** Entity tag of the version. */
  readonly tag: string
}

/** `stale`: another user changed the definition after it was read, and nothing was saved. */
export type SaveResult =
  | { readonly kind: 'saved'; readonly id: string }
  | { readonly kind: 'stale'; readonly theirs: Stored }

/** Saves a definition. If another user has changed it, returns the stored version. */
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

/** Returns headers that make a request fail unless the stored version has this tag. */
export function onlyVersion(tag: string | undefined): Readonly<Record<string, string>> {
  return tag === undefined || tag === '' ? {} : { 'If-Match': tag }
}

/** Number of definitions in a page of a list. */
const PAGE = 1000

/** Reads all pages of a list. Rejects with AskError. */
export async function allPages<T>(ask: Ask, path: string, signal: AbortSignal): Promise<readonly T[]> {
  const found: T[] = []
  for (;;) {
    const paged = `${path}?limit=${PAGE}&skip=${found.length}`
    const page = (await ask('json', { method: 'GET', path: paged }, { signal })).body as readonly T[]
    found.push(...page)
    if (page.length < PAGE) return found
  }
}
