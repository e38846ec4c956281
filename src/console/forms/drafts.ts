import { parseJsonPlain, printJsonExact, type PlainJson } from '../../data/index.ts'
import { session } from '../app/services.ts'

/**
 * Returns the storage key of a draft. A draft is text that the user typed and that is not saved on a server. Drafts are
 * kept for each user as long as the tab is open, also after a failed save, a reload or signing out.
 */
function keyOf(name: string): string {
  const who = session.peek()
  return `sluice:draft:${who === undefined || who === 'signed-out' ? '' : who.user}:${name}`
}

/** Fallback for browsers that refuse storage. */
const inMemory = new Map<string, string>()

export function readDraft(name: string): PlainJson | undefined {
  const key = keyOf(name)
  try {
    const stored = sessionStorage.getItem(key) ?? inMemory.get(key)
    return stored === undefined ? undefined : parseJsonPlain(stored)
  } catch {
    const stored = inMemory.get(key)
    return stored === undefined ? undefined : parseJsonPlain(stored)
  }
}

/** Stores a draft; `undefined` removes it. */
export function keepDraft(name: string, draft: PlainJson | undefined): void {
  const key = keyOf(name)
  const text = draft === undefined ? undefined : printJsonExact(draft)
  if (text === undefined) inMemory.delete(key)
  else inMemory.set(key, text)
  try {
    if (text === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // Storage is full or refused; the draft lasts as long as the page.
  }
}
